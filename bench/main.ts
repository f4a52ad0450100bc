import { benchAlerting } from './alerting.bench.js';
import { benchApi } from './api.bench.js';
import { benchBusy } from './busy.bench.js';
import { benchChanges } from './changes.bench.js';
import { benchChecks } from './checks.bench.js';
import { makeDataset } from './dataset/main.js';
import { benchDeadlines } from './deadlines.bench.js';
import { benchDispatch } from './dispatch.bench.js';
import { benchEdge } from './edge.bench.js';
import { benchHostile } from './hostile.bench.js';
import { benchMemory } from './memory.bench.js';
import { benchMetrics } from './metrics.bench.js';
import { closeOpened } from './opened.js';
import { benchOverload } from './overload.bench.js';
import { benchPings } from './pings.bench.js';
import { benchReads } from './reads.bench.js';
import { benchStart } from './start.bench.js';
import { benchWorkers } from './workers.bench.js';

/** Benchmarks by name: each prints a table and writes `build/bench/<name>.json`. */
const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  alerting: benchAlerting,
  api: ([rounds = '3']) => benchApi(Number(rounds)),
  busy: benchBusy,
  changes: ([rounds = '3']) => benchChanges(Number(rounds)),
  checks: benchChecks,
  dataset: makeDataset,
  deadlines: benchDeadlines,
  dispatch: benchDispatch,
  edge: ([rounds = '3']) => benchEdge(Number(rounds)),
  hostile: benchHostile,
  memory: benchMemory,
  metrics: ([rounds = '3']) => benchMetrics(Number(rounds)),
  overload: benchOverload,
  pings: benchPings,
  reads: benchReads,
  start: ([rounds = '3']) => benchStart(Number(rounds)),
  workers: benchWorkers,
};

const [name = '', ...args] = process.argv.slice(2);
const bench = BENCHES[name];
if (!bench) {
  process.stderr.write(`usage: npm run bench -- <${Object.keys(BENCHES).join('|')}> [arguments]\n`);
  process.exit(64);
}
// Signals may arrive more than once: npm forwards what the terminal has already sent to the whole process group.
const ended = new Promise<number>((resolve) => {
  process.on('SIGINT', () => resolve(130)).on('SIGTERM', () => resolve(143));
});
try {
  process.exitCode = await Promise.race([bench(args).then(() => 0), ended]);
} finally {
  await closeOpened();
}
// After a signal, the benchmark is still running.
process.exit();
