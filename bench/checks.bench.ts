import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countSlots } from '../src/domain/schedule-fidelity.js';
import { phaseMs } from '../src/domain/schedule.js';
import { cpuUs, residentMib, threadsUs } from './cpu.js';
import { medians } from './load.js';
import { measurePeers } from './peers.js';
import { type Kind, Scene } from './scene.js';
import { type BenchRedis, openRedis } from './redis.js';
import { keep, printTable } from './table.js';
import { CA_FILE, type Ports, startTarget } from './target.js';

interface ChecksOptions {
  kind: 'plain' | 'https' | 'mixed' | 'sequence';
  monitors: number;
  intervalSeconds: number;
  /** Duration of the measurement, after the warm-up. */
  seconds: number;
  warmUpSeconds: number;
  rounds: number;
  /** A Redis through which the process sends checks and results to itself; none by default. */
  redis: string | null;
}

/** The steps of each monitor of the kind `sequence`. */
const SEQUENCE_STEPS = 5;

type Figures = Record<string, number>;

function optionsOf(args: string[]): ChecksOptions {
  const { values } = parseArgs({
    args,
    options: {
      kind: { type: 'string', default: 'plain' },
      monitors: { type: 'string', default: '5000' },
      interval: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '60' },
      'warm-up': { type: 'string', default: '15' },
      rounds: { type: 'string', default: '3' },
      redis: { type: 'string' },
    },
  });
  return {
    kind: values.kind as ChecksOptions['kind'],
    monitors: Number(values.monitors),
    intervalSeconds: Number(values.interval),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values['warm-up']),
    rounds: Number(values.rounds),
    redis: values.redis ?? null,
  };
}

/**
 * Measures the whole pipeline, from slot to committed row, roll-up and state, with scheduled monitors and a local
 * target. Each round reports checks per second, CPU per check by component, lag behind the slots, memory, and the
 * expected and missing rows.
 */
export async function benchChecks(args: string[]): Promise<void> {
  const options = optionsOf(args);
  const { monitors, intervalSeconds, rounds } = options;
  const { process: target, ports } = await startTarget();
  const redis = options.redis === null ? null : await openRedis(options.redis);
  const scene = await Scene.open({ NODE_EXTRA_CA_CERTS: CA_FILE, ...redis?.settings });
  const peers = [await peersOf(options, ports)];
  await scene.start();
  const ids = await scene.fill(kindsOf(options, ports), intervalSeconds);
  await scene.start();
  const onSchedule = await scene.untilScheduled(monitors);
  process.stdout.write(`${monitors} monitors on schedule ${onSchedule} ms after the ready line\n`);
  await delay(options.warmUpSeconds * 1_000);
  const runs: Figures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    runs.push(await measure(scene, { target: target.pid, redis }, ids, options));
    print(`round ${round}`, runs.at(-1)!);
  }
  print('median', medians(runs));
  await scene.stop();
  // Measured before and after, because the speed of a shared machine varies.
  peers.push(await peersOf(options, ports));
  printPeers(peers, medians(runs)['ms/check']!);
  const name = `checks-${options.kind}-${monitors}-${intervalSeconds}s${redis ? '-redis' : ''}`;
  await keep(name, { options, onSchedule, runs, median: medians(runs), peers });
}

function peersOf({ kind }: ChecksOptions, { plain, secure }: Ports): Promise<Record<string, number>> {
  const endpoint = kind === 'https' ? { host: 'localhost', port: secure } : { host: '127.0.0.1', port: plain };
  return measurePeers({ secure: kind === 'https', ...endpoint }, CA_FILE);
}

function printPeers(peers: readonly Record<string, number>[], ownMs: number): void {
  for (const name of Object.keys(peers[0]!)) {
    const costs = peers.map((some) => some[name]! / 1_000);
    const mean = costs.reduce((sum, one) => sum + one, 0) / costs.length;
    const told = costs.map((one) => one.toFixed(3)).join(' before, ');
    process.stdout.write(`${name}: ${told} ms after; Daywatch takes ${(ownMs / mean).toFixed(2)} times as much\n`);
  }
}

function print(name: string, figures: Figures): void {
  const cells = Object.entries(figures).map(([head, value]) => [head, Math.round(value * 1_000) / 1_000]);
  printTable(new Map([[name, Object.fromEntries(cells) as Figures]]), Object.keys(figures));
}

function kindsOf({ kind, monitors }: ChecksOptions, ports: Ports): Kind[] {
  const plain = { type: 'http', url: `http://127.0.0.1:${ports.plain}/` };
  const secure = { type: 'http', url: `https://localhost:${ports.secure}/` };
  if (kind === 'plain') return [{ body: plain, count: monitors }];
  if (kind === 'https') return [{ body: secure, count: monitors }];
  if (kind === 'sequence') {
    const steps = Array.from({ length: SEQUENCE_STEPS }, (_, n) => ({ name: `Step ${n + 1}`, url: plain.url }));
    return [{ body: { type: 'sequence', settings: { steps } }, count: monitors }];
  }
  const quarter = Math.round(monitors / 4);
  return [
    { body: plain, count: monitors - quarter },
    { body: secure, count: quarter },
  ];
}

async function measure(
  { client, service, databasePid }: Scene,
  { target, redis }: { target: number; redis: BenchRedis | null },
  ids: readonly string[],
  { seconds, intervalSeconds }: ChecksOptions,
): Promise<Figures> {
  const intervalMs = intervalSeconds * 1_000;
  const sample = async () => ({
    at: Date.now(),
    threads: await threadsUs(service!.pid),
    service: await cpuUs(service!.pid),
    database: await cpuUs(databasePid),
    target: await cpuUs(target),
    redis: (await redis?.cpuUs()) ?? 0,
  });
  const before = await sample();
  await delay(seconds * 1_000);
  const after = await sample();
  const window = [new Date(before.at), new Date(after.at)];
  const slots = new Map(ids.map((id) => [id, countSlots(phaseMs(id, intervalMs), intervalMs, before.at, after.at)]));
  const expected = [...slots.values()].reduce((sum, count) => sum + count, 0);
  // Waits for results in flight, until all rows have arrived or no more arrive.
  const found = await settled(async () => {
    const { rows } = await client.query<{ monitor_id: string; found: number }>(
      `SELECT monitor_id, count(*)::int AS found FROM checks
       WHERE scheduled_at >= $1 AND scheduled_at < $2 AND attempt = 0 GROUP BY 1`,
      window,
    );
    return rows;
  }, expected);
  const rows = found.reduce((sum, one) => sum + one.found, 0);
  const {
    rows: [lag],
  } = await client.query<{ p50: number; p99: number; max: number; failed: number }>(
    `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY lag) AS p50, percentile_disc(0.99) WITHIN GROUP (ORDER BY lag) AS p99,
            max(lag) AS max, count(*) FILTER (WHERE status <> 'up')::int AS failed
     FROM (SELECT extract(epoch FROM checked_at - scheduled_at)::float8 * 1000 AS lag, status FROM checks
           WHERE scheduled_at >= $1 AND scheduled_at < $2) AS c`,
    window,
  );
  const elapsed = (after.at - before.at) / 1_000;
  const each = (us: number): number => us / 1_000 / rows;
  const [own, database] = [each(after.service - before.service), each(after.database - before.database)];
  const queue = each(after.redis - before.redis);
  const thread = (name: string): number => each((after.threads.get(name) ?? 0) - (before.threads.get(name) ?? 0));
  const memory = await residentMib(service!.pid);
  return {
    'checks/s': Math.round(rows / elapsed),
    expected,
    missing: expected - rows,
    failed: lag!.failed,
    'ms/check': own + database + queue,
    service: own,
    main: thread('main'),
    database,
    redis: queue,
    target: each(after.target - before.target),
    '2 cores %': (((own + database + queue) * rows) / 1e3 / elapsed / 2) * 100,
    'lag p50': lag!.p50,
    p99: lag!.p99,
    max: lag!.max,
    'RSS MiB': Math.round(memory.now),
  };
}

async function settled(read: () => Promise<{ monitor_id: string; found: number }[]>, expected: number) {
  for (let before = -1; ;) {
    const rows = await read();
    const sum = rows.reduce((total, one) => total + one.found, 0);
    if (sum >= expected || sum === before) return rows;
    before = sum;
    await delay(2_000);
  }
}
