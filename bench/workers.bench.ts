import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { medians } from './load.js';
import { openRedis } from './redis.js';
import { Scene } from './scene.js';
import { perUnit, recordedSlots, SharedScene } from './shared-scene.js';
import { keep, printTable, rounded } from './table.js';
import { startTarget } from './target.js';

const sum = (some: readonly number[]): number => some.reduce((total, one) => total + one, 0);

/**
 * Measures the processor time of a check with different numbers of worker processes, at the same total rate: one process
 * for the API, dispatching and recording, and workers. The numbers take turns, because the speed of a shared machine
 * varies.
 */
export async function benchWorkers(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
      workers: { type: 'string', default: '1,2,4,8' },
      monitors: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '30' },
      'warm-up': { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const { ports } = await startTarget();
  const redis = await openRedis(values.redis);
  const scene = await Scene.open();
  await scene.start();
  await scene.fill(
    [{ body: { type: 'http', url: `http://127.0.0.1:${ports.plain}/` }, count: Number(values.monitors) }],
    1,
  );
  const shared = new SharedScene(scene, redis);
  await shared.start('others', 'api,dispatcher,recorder,notifier', 1);
  const numbers = values.workers.split(',').map(Number);
  const runs = new Map<number, Record<string, number>[]>(numbers.map((number) => [number, []]));
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const number of numbers) {
      await shared.start('workers', 'worker', number);
      await delay(Number(values['warm-up']) * 1_000);
      runs.get(number)!.push(await measure(scene, shared, Number(values.seconds)));
      await shared.stop('workers');
    }
  }
  const [first] = numbers.map((number) => medians(runs.get(number)!)['ms/check']!);
  const table = numbers.map((number) => {
    const median = medians(runs.get(number)!);
    const figures = { ...median, 'times the first': median['ms/check']! / first! };
    return [
      `${number} workers`,
      Object.fromEntries(
        Object.entries(figures).map(([head, value]) => [
          head,
          value < 10 ? Math.round(value * 1e3) / 1e3 : rounded(value),
        ]),
      ),
    ] as const;
  });
  printTable(new Map(table), Object.keys(table[0]![1]));
  await keep('workers', { options: values, runs: Object.fromEntries(runs) });
}

async function measure(scene: Scene, shared: SharedScene, seconds: number): Promise<Record<string, number>> {
  const [from, before] = [Date.now(), await shared.cpu()];
  await delay(seconds * 1_000);
  const [to, after] = [Date.now(), await shared.cpu()];
  const { rows, failed, p99 } = await recordedSlots(scene, from, to);
  const each = perUnit(before, after, rows * 1_000);
  return {
    'checks/s': rows / ((to - from) / 1_000),
    failed,
    'ms/check': sum(Object.values(each)),
    ...each,
    'lag p99': p99,
  };
}
