import autocannon from 'autocannon';
import { parseArgs } from 'node:util';
import { BenchChild } from './child.js';
import { cpuUs } from './cpu.js';
import { openHeartbeats } from './heartbeat-scene.js';
import { medians } from './load.js';
import { opened } from './opened.js';
import { type Scene } from './scene.js';
import { keep, printTable, rounded } from './table.js';

const YEAR_S = 31_536_000;

interface Burst {
  origin: string;
  /** The paths of the monitors, which the connections share out. */
  paths: readonly string[];
  connections: number;
  /** Seconds, or a number of requests. */
  until: { duration: number } | { amount: number };
}

/**
 * Measures how many reports of jobs the service makes durable in a second, compared with a bare Node server that answers
 * `OK`, and how long it takes when many jobs report at the same moment.
 */
export async function benchPings(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '15' },
      rounds: { type: 'string', default: '3' },
      'at-once': { type: 'string', default: '10000' },
    },
  });
  const [connections, duration] = [Number(values.connections), Number(values.seconds)];
  const { scene, paths } = await openHeartbeats(Number(values['at-once']), { schedule: { everySeconds: YEAR_S } });
  const bare = await opened(
    () => BenchChild.start('ok-server.js', []),
    (one) => one.end(),
  );
  const runs = { service: [] as Record<string, number>[], bare: [] as Record<string, number>[] };
  // The first round is a warm-up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const { origin, pid } = scene.service!;
    const load = { paths, connections, until: { duration } };
    const served = await measured({ ...load, origin }, { service: pid, database: scene.databasePid });
    const own = await measured({ ...load, origin: bare.ready }, { service: bare.pid });
    if (round === 0) continue;
    runs.service.push({ ...served, 'bare : 1': own['pings/s']! / served['pings/s']! });
    runs.bare.push(own);
  }
  const row = (figures: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]));
  const [service, own] = [medians(runs.service), medians(runs.bare)];
  printTable(new Map([['service', row(service)], ['bare Node', row(own)]]), Object.keys(service)); // prettier-ignore

  const before = await stored(scene);
  const burst = await fire({
    origin: scene.service!.origin,
    paths,
    connections: 200,
    until: { amount: paths.length },
  });
  const recorded = (await stored(scene)) - before;
  process.stdout.write(
    `${paths.length} reports at once: all answered after ${rounded(burst.duration)} s, p99 ${burst.latency.p99} ms, ${recorded} recorded\n`,
  );
  await keep('pings', { options: values, runs, burst: { seconds: burst.duration, latency: burst.latency, recorded } });
}

async function measured(burst: Burst, pids: Record<string, number>): Promise<Record<string, number>> {
  const cpu = (): Promise<number[]> => Promise.all(Object.values(pids).map((pid) => cpuUs(pid)));
  const before = await cpu();
  const { requests, duration, latency } = await fire(burst);
  const after = await cpu();
  const each = Object.keys(pids).map((name, index) => {
    return [`${name} µs`, (after[index]! - before[index]!) / requests.total] as const;
  });
  return {
    'pings/s': requests.total / duration,
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    ...Object.fromEntries(each),
  };
}

/**
 * Sends reports, all of which must be accepted. Each connection has monitors of its own and alternates two kinds, so that
 * no limit applies.
 */
async function fire({ origin, paths, connections, until }: Burst): Promise<autocannon.Result> {
  const each = Math.max(1, Math.floor(paths.length / connections));
  let next = 0;
  const result = await autocannon({
    url: origin,
    connections,
    ...until,
    setupClient: (client) => {
      const own = paths.slice(next * each, (next + 1) * each);
      next += 1;
      const kinds = 'amount' in until ? [''] : ['', '/log'];
      client.setRequests(
        kinds.flatMap((kind) => own.map((path) => ({ method: 'POST', path: path + kind, body: 'done' }))),
      );
    },
  });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${origin}: ${result.non2xx} refused, ${result.errors} failed`);
  }
  return result;
}

async function stored({ client }: Scene): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM pings');
  return rows[0]!.count;
}
