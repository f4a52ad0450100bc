import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HINT_CHANNEL } from '../src/modules/monitors/schedule/schedule-hints.js';
import { residentMib } from './cpu.js';
import { giveAway, Scene } from './scene.js';
import { keep, printTable } from './table.js';
import { startTarget } from './target.js';

const SAMPLE_MS = 10_000;
/** The load has to build up before delays are meaningful. */
const BUILD_UP_MS = 20_000;
const RECOVERED_LAG_MS = 1_000;
const RECOVERS_WITHIN_MS = 300_000;

/** One in this many monitors belongs to a second, small team, whose checks must not wait behind those of the first. */
const ONE_IN = 50;

/**
 * Makes more checks due than the machine can run. Measures how evenly the monitors of each team are delayed, the age
 * of recorded results, memory, and the time until checks are on time again after most monitors have been paused.
 */
export async function benchOverload(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { monitors: { type: 'string', default: '15000' }, seconds: { type: 'string', default: '120' } },
  });
  const [monitors, seconds] = [Number(values.monitors), Number(values.seconds)];
  const { ports } = await startTarget();
  const scene = await Scene.open();
  await scene.start();
  const ids = await scene.fill(
    [{ body: { type: 'http', url: `http://127.0.0.1:${ports.plain}/` }, count: monitors }],
    1,
  );
  await giveAway(
    scene,
    ids.filter((_, index) => index % ONE_IN === 0),
  );
  const { pid } = await scene.start();
  await scene.untilScheduled(monitors);
  await delay(BUILD_UP_MS);
  const from = new Date();
  const memory: number[] = [];
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    await delay(SAMPLE_MS);
    memory.push(Math.round((await residentMib(pid)).now));
    process.stdout.write(`${memory.at(-1)} MiB, newest result ${await newestAgeMs(scene)} ms old\n`);
  }
  const spread = await spreadOf(scene, from, seconds);
  const recoveryMs = await recover(scene, ids.slice(Math.floor(monitors / 5)));
  printTable(spread, Object.keys([...spread.values()][0]!));
  process.stdout.write(`at most ${Math.max(...memory)} MiB, on time again after ${recoveryMs} ms\n`);
  await keep('overload', { monitors, seconds, memory, recoveryMs, teams: Object.fromEntries(spread) });
}

/** Returns the milliseconds since the newest recorded check began. */
async function newestAgeMs({ client }: Scene): Promise<number> {
  const { rows } = await client.query<{ age: number }>(
    `SELECT extract(epoch FROM now() - max(checked_at))::float8 * 1000 AS age FROM checks
     WHERE scheduled_at > now() - interval '1 minute'`,
  );
  return Math.round(rows[0]!.age);
}

/** Returns, by team, how often each monitor has been checked since `from`, and how late. */
async function spreadOf({ client }: Scene, from: Date, seconds: number): Promise<Map<string, Record<string, number>>> {
  const { rows } = await client.query<{ team: string }>(
    `SELECT name AS team, count(*)::int AS monitors, round((sum(n) / $2::float8 / count(*))::numeric, 3)::float8 AS "each/s",
            min(n)::int AS "fewest", percentile_disc(0.01) WITHIN GROUP (ORDER BY n)::int AS "p1",
            percentile_disc(0.5) WITHIN GROUP (ORDER BY n)::int AS "median", percentile_disc(0.99) WITHIN GROUP (ORDER BY n)::int AS "p99",
            max(n)::int AS "most", round(max(lag))::int AS "lag max"
     FROM (SELECT m.team_id, count(*) FILTER (WHERE c.checked_at IS NOT NULL) AS n,
                  max(extract(epoch FROM c.checked_at - c.scheduled_at)::float8 * 1000) AS lag
           FROM monitors m LEFT JOIN checks c ON c.monitor_id = m.id AND c.scheduled_at >= $1 AND c.attempt = 0
           GROUP BY m.id) AS of_each JOIN teams ON teams.id = team_id GROUP BY name ORDER BY count(*) DESC`,
    [from, seconds],
  );
  return new Map(rows.map(({ team, ...figures }) => [team, figures]));
}

/** Pauses these monitors and returns the milliseconds until recorded checks are on time again. */
async function recover({ client }: Scene, ids: readonly string[]): Promise<number> {
  await client.query('UPDATE monitors SET paused_at = now(), revision = revision + 1 WHERE id = ANY($1::uuid[])', [
    ids,
  ]);
  await client.query('UPDATE monitor_states SET version = version + 1 WHERE monitor_id = ANY($1::uuid[])', [ids]);
  await client.query(
    `SELECT pg_notify('${HINT_CHANNEL}', json_build_object('monitorId', id)::text) FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  const since = performance.now();
  for (;;) {
    await delay(500);
    const { rows } = await client.query<{ lag: number | null }>(
      `SELECT max(extract(epoch FROM checked_at - scheduled_at))::float8 * 1000 AS lag FROM checks
       WHERE scheduled_at > now() - interval '2 seconds' AND attempt = 0`,
    );
    const ms = performance.now() - since;
    if (rows[0]!.lag !== null && rows[0]!.lag < RECOVERED_LAG_MS) return Math.round(ms);
    if (ms > RECOVERS_WITHIN_MS) throw new Error('checks are still late');
  }
}
