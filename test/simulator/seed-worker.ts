import { reportOf } from './report.js';
import { runSeed, type SeedOptions } from './run.js';

/** Simulates the seeds that it receives one after the other, and sends their reports. */
process.on('message', (options: Omit<SeedOptions, 'progress'>) => {
  const began = performance.now();
  const verdict = runSeed({
    ...options,
    progress: (done, { findings }) => {
      // The parent process has ended.
      if (!process.connected) process.exit(1);
      if (done % 100 === 0) process.send!({ progress: { seed: options.seed, done, findings: findings.length } });
    },
  });
  process.send!({ report: reportOf(options.seed, verdict, (performance.now() - began) / 1_000) });
});
