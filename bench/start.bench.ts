import { ServiceProcess } from '../test/support/service.js';
import { cpuUs, residentMib } from './cpu.js';
import { medians } from './load.js';
import { opened, openFolder } from './opened.js';
import { keep, printTable } from './table.js';

/** Measures the time from process start to the ready line, with a new data directory and again with the same one. */
export async function benchStart(rounds: number): Promise<void> {
  const runs: Record<'first' | 'again', Record<string, number>[]> = { first: [], again: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const dataDir = await openFolder();
    runs.first.push(await measure(dataDir));
    runs.again.push(await measure(dataDir));
  }
  const rows = new Map([
    ['first start', medians(runs.first)],
    ['next start', medians(runs.again)],
  ]);
  printTable(rows, Object.keys(runs.first[0]!));
  await keep('start', { rounds, runs, medians: Object.fromEntries(rows) });
}

async function measure(dataDir: string): Promise<Record<string, number>> {
  const startedAt = performance.now();
  const service = await opened(
    () => ServiceProcess.start(dataDir),
    (one) => one.end('SIGTERM'),
  );
  const readyMs = Math.round(performance.now() - startedAt);
  const cpuMs = Math.round((await cpuUs(service.pid)) / 1_000);
  const memory = await residentMib(service.pid);
  await service.end('SIGTERM');
  return { 'ready ms': readyMs, 'CPU ms': cpuMs, 'RSS MiB': Math.round(memory.now) };
}
