import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { locationKey } from '../src/modules/checks/job-secrets.service.js';
import { eventually } from '../test/support/eventually.js';
import { type ServiceProcess } from '../test/support/service.js';
import { BenchChild } from './child.js';
import { cpuUs, residentMib } from './cpu.js';
import { opened } from './opened.js';
import { openRedis } from './redis.js';
import { Scene } from './scene.js';
import { perUnit, recordedSlots, SharedScene } from './shared-scene.js';
import { keep, printTable, rounded } from './table.js';

const KIB = 1_024;
const FIRST_ROUND_MS = 3_600_000;
const LOOK_MS = 2_000;

/**
 * Measures how many monitors dispatchers and recorders carry: their memory for each monitor, and the lag and the
 * processor time of checks. The workers answer without probing; everything else is as in operation.
 */
export async function benchDispatch(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
      monitors: { type: 'string', default: '100000' },
      interval: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '600' },
      dispatchers: { type: 'string', default: '1' },
      recorders: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
    },
  });
  const [monitors, interval] = [Number(values.monitors), Number(values.interval)];
  const redis = await openRedis(values.redis);
  const scene = await Scene.open();
  await scene.start();
  const shared = new SharedScene(scene, redis);
  const empty = await emptyMib(shared, scene);
  const from = Date.now();
  await scene.fill([{ body: { type: 'http', url: 'http://192.0.2.1/' }, count: monitors }], interval);
  process.stdout.write(`${monitors} monitors created in ${Math.round((Date.now() - from) / 1_000)} s\n`);

  const settings = {
    ...redis.settings,
    ROLES: 'worker',
    LOCATION_KEY: locationKey(scene.settings.SECRET_KEY!, 'default'),
  };
  const workers: BenchChild[] = [];
  for (let number = 0; number < Number(values.workers); number += 1) {
    const start = () => BenchChild.start('answering-worker.js', [], settings);
    workers.push(await opened(start, (one) => one.end()));
  }
  const recorders = await shared.start('recorders', 'recorder', Number(values.recorders));
  const startedAt = Date.now();
  const dispatchers = await shared.start('dispatchers', 'dispatcher', Number(values.dispatchers));
  await eventually(async () => {
    if (!(await isDispatched(scene))) throw new Error('not every shard is dispatched');
  }, 600_000);
  process.stdout.write(`dispatched ${Math.round((Date.now() - startedAt) / 1_000)} s after the start\n`);
  const firstRound = await untilAllAreRecorded(scene, startedAt);
  process.stdout.write(`every monitor recorded ${firstRound} s after the start\n`);
  // Time to make up for the delay of the first round.
  await delay(interval * 1_000);
  const cpu = async () => ({
    ...(await shared.cpu()),
    workers: (await Promise.all(workers.map(({ pid }) => cpuUs(pid)))).reduce((sum, us) => sum + us, 0),
  });
  const [began, before] = [Date.now(), await cpu()];
  await delay(Number(values.seconds) * 1_000);
  const [ended, after] = [Date.now(), await cpu()];
  const { rows, failed, p50, p99 } = await recordedSlots(scene, began, ended);
  const expected = ((ended - began) / 1_000 / interval) * monitors;
  const figures = {
    'checks/s': rows / ((ended - began) / 1_000),
    'expected/s': monitors / interval,
    'missing %': (1 - rows / expected) * 100,
    failed,
    'lag p50': p50,
    'lag p99': p99,
    ...Object.fromEntries(Object.entries(perUnit(before, after, rows)).map(([name, us]) => [`${name} µs/check`, us])),
    'dispatcher KiB/monitor': await kibEach(dispatchers, empty, monitors),
    'recorder KiB/monitor': await kibEach(recorders, empty, monitors),
  };
  const cells = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]));
  printTable(new Map(Object.entries(cells).map(([name, value]) => [name, { value }])), ['value']);
  await keep(`dispatch-${monitors}-${interval}s`, { options: values, empty, figures });
}

/** Returns the memory of a process without monitors. */
async function emptyMib(shared: SharedScene, scene: Scene): Promise<number> {
  await scene.stop();
  const [one] = await shared.start('empty', 'dispatcher,recorder', 1);
  await delay(5_000);
  const { now } = await residentMib(one!.pid);
  await shared.stop('empty');
  await scene.start();
  return now;
}

async function kibEach(processes: readonly ServiceProcess[], emptyMib: number, monitors: number): Promise<number> {
  const memory = await Promise.all(processes.map(({ pid }) => residentMib(pid)));
  const grown = memory.reduce((sum, { now }) => sum + Math.max(0, now - emptyMib), 0);
  return (grown * KIB) / monitors;
}

/**
 * Waits until every monitor has been recorded once, so that recorders hold all of them: the first result of a monitor
 * takes longer to record than the following ones. Returns the seconds since `from`.
 */
async function untilAllAreRecorded({ client }: Scene, from: number): Promise<number> {
  for (;;) {
    const { rows } = await client.query(`SELECT FROM monitor_states WHERE status = 'pending' LIMIT 1`);
    if (rows.length === 0) return Math.round((Date.now() - from) / 1_000);
    if (Date.now() - from > FIRST_ROUND_MS) throw new Error('some monitors have no result yet');
    await delay(LOOK_MS);
  }
}

/** Returns whether every shard has a dispatcher that has served it. */
async function isDispatched({ client }: Scene): Promise<boolean> {
  const { rows } = await client.query<{ served: number }>(
    `SELECT count(*)::int AS served FROM leases
     WHERE name LIKE 'dispatcher-%' AND expires_at > now() AND served_until > now() - interval '5 seconds'`,
  );
  return rows[0]!.served === 16;
}
