import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exampleLines, type SeedReport, table } from './report.js';

type Message = { report: SeedReport } | { progress: { seed: number; done: number; findings: number } };

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    'first-seed': { type: 'string', default: '1' },
    monitors: { type: 'string', default: '100' },
    from: { type: 'string', default: '0' },
    days: { type: 'string', default: '90' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const firstSeed = Number(values['first-seed']);
const waiting = Array.from({ length: Number(values.seeds) }, (_, i) => firstSeed + i);
const sizes = { monitors: Number(values.monitors), from: Number(values.from), days: Number(values.days) };
const reports: SeedReport[] = [];
const began = performance.now();
const seconds = (): number => Math.round((performance.now() - began) / 1_000);

/** Simulates one seed after the other in one process. */
async function work(): Promise<void> {
  const worker: ChildProcess = fork(fileURLToPath(new URL('./seed-worker.js', import.meta.url)));
  try {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      worker.send({ seed, ...sizes });
      const report = await reportFrom(worker);
      reports.push(report);
      say(
        [`seed ${seed} finished: ${report.findings} findings after ${seconds()} s`, ...exampleLines(report)].join('\n'),
      );
    }
  } finally {
    worker.disconnect();
  }
}

async function reportFrom(worker: ChildProcess): Promise<SeedReport> {
  const ended = once(worker, 'exit').then(() => {
    throw new Error('a worker ended before it finished its seed');
  });
  for (;;) {
    const [message] = (await Promise.race([once(worker, 'message'), ended])) as [Message];
    if ('report' in message) return message.report;
    const { seed, done, findings } = message.progress;
    say(`seed ${seed}: ${done} monitors, ${findings} findings after ${seconds()} s`);
  }
}

await Promise.all(Array.from({ length: Math.min(Number(values.workers), waiting.length) }, work));
reports.sort((a, b) => a.seed - b.seed);
say(`\n${table(reports)}\n`);
const checks = reports.reduce((sum, { counts }) => sum + counts.checks, 0);
const findings = reports.reduce((sum, report) => sum + report.findings, 0);
const heap = Math.max(...reports.map(({ heapMegabytes }) => heapMegabytes));
say(
  `${checks} checks in ${seconds()} s (${Math.round(checks / seconds())}/s), ${heap} MB of heap, ${findings} findings`,
);
process.exitCode = findings > 0 ? 1 : 0;
