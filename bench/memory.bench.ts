import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { residentMib } from './cpu.js';
import { Scene } from './scene.js';
import { keep, printTable, rounded } from './table.js';
import { startTarget } from './target.js';

interface Sample {
  minutes: number;
  service: number;
  rows: number;
}

/**
 * Measures whether the service's memory grows while it runs checks: its resident memory over time, and the slope of the
 * second half of the samples, which excludes the warm-up.
 */
export async function benchMemory(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      monitors: { type: 'string', default: '2000' },
      interval: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const [monitors, minutes] = [Number(values.monitors), Number(values.minutes)];
  const { ports } = await startTarget();
  const scene = await Scene.open();
  await scene.start();
  const body = { type: 'http', url: `http://127.0.0.1:${ports.plain}/` };
  await scene.fill([{ body, count: monitors }], Number(values.interval));
  const { pid } = await scene.start();
  await scene.untilScheduled(monitors);
  const samples: Sample[] = [];
  for (let minute = 0; minute <= minutes; minute += 1) {
    if (minute > 0) await delay(60_000);
    const { now } = await residentMib(pid);
    samples.push({ minutes: minute, service: rounded(now), rows: await rowsSoFar(scene) });
    const sample = samples.at(-1)!;
    printTable(new Map([[`minute ${minute}`, { MiB: sample.service, rows: sample.rows }]]), ['MiB', 'rows']);
  }
  const perHour = slope(samples.slice(Math.floor(samples.length / 2))) * 60;
  const perSecond = samples.at(-1)!.rows / (minutes * 60);
  process.stdout.write(`${rounded(perSecond)} checks/s; ${rounded(perHour)} MiB per hour in the second half\n`);
  await keep('memory', { monitors, minutes, perHour, samples });
}

async function rowsSoFar({ client }: Scene): Promise<number> {
  const { rows } = await client.query<{ total: string }>('SELECT sum(checks_total) AS total FROM daily_rollups');
  return Number(rows[0]!.total);
}

/** Returns the slope of the least-squares line through the samples, in MiB per minute. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ service }) => service)];
  const along = samples.reduce((sum, one) => sum + (one.minutes - x) * (one.service - y), 0);
  return along / samples.reduce((sum, one) => sum + (one.minutes - x) ** 2, 0);
}
