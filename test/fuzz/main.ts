import { parseArgs } from 'node:util';
import { startFuzzedApp } from './service.js';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { fuzz } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '6' },
  },
});
const [seed, count, concurrency] = [Number(values.seed), Number(values.count), Number(values.concurrency)];
const say = (text: string): void => void process.stdout.write(`${text}\n`);

await globalSetup();
try {
  say(`seed ${seed}, ${count} requests, ${concurrency} at once`);
  const service = await startFuzzedApp();
  const began = performance.now();
  const seconds = (): number => Math.round((performance.now() - began) / 1_000);
  const progress = (done: number): void => {
    if (done % 10_000 < 400) say(`${done} after ${seconds()} s, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
  };
  try {
    const report = await fuzz(service.app, { seed, count, concurrency, targetOrigin: service.targetOrigin, progress });
    say(`\n${report.table()}\n`);
    const idle = report.neverSucceeded();
    if (idle.length > 0) say(`never succeeded: ${idle.join(', ')}`);
    say(report.text());
    say(`\nseed ${seed}: ${count} requests in ${seconds()} s, ${report.findings.size} findings`);
    process.exitCode = report.findings.size > 0 ? 1 : 0;
  } finally {
    await service.close();
  }
} finally {
  await globalTeardown();
}
