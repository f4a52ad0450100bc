import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { waitingSessions } from '../../../test/support/waiting-sessions.js';
import { dataSource } from '../../database/data-source.js';
import { StaleMemory } from '../../database/stale-memory.js';
import { Transactions } from '../../database/tx.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { type RecordableCheck } from '../checks/checks.service.js';
import { RollupOrderService } from './rollup-order.service.js';
import { SLICES, turnOf } from './rollup-turn.js';
import { RollupsService } from './rollups.service.js';

const MONITORS = 20;
const DAYS = 40;
/** The first day of a week, as `turnOf` counts weeks. */
const FIRST_DAY = Date.UTC(2026, 9, 1);
/** At this time, five weeks are final. */
const NOW = FIRST_DAY + 37 * DAY_MS;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let order: RollupOrderService;
const ids = Array.from({ length: MONITORS }, () => uuidv7());
const sql = <T>(text: string, parameters: unknown[] = []): Promise<T> => source.query(text, parameters);

beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url, 10).initialize();
  order = new RollupOrderService(source);
  const team = uuidv7();
  await sql('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
  await sql(
    `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
       recovery_threshold, locations, quorum, tags, metadata)
     SELECT id, $1, 'M', 'http', '{}', 'example.com', 60, 10000, 2, 1, '{default}', 'majority', '{}', '{}'
     FROM unnest($2::uuid[]) AS id`,
    [team, ids],
  );
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

/** Inserts rows day by day, in the order in which they are recorded, with histograms of typical length. */
beforeEach(async () => {
  await sql('TRUNCATE daily_rollups');
  for (let day = 0; day < DAYS; day += 1) {
    await sql(
      `INSERT INTO daily_rollups
         (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms, histogram)
       SELECT id, $2::timestamptz::date, 'default', 10 + $3::int, $3, 7, 0.1, (SELECT array_agg(k) FROM generate_series(1, 90 + $3::int) AS k)
       FROM unnest($1::uuid[]) AS id ORDER BY id`,
      [ids, new Date(FIRST_DAY + day * DAY_MS), day],
    );
  }
});

/** Runs all turns of a day. */
async function gatherAll(by = order, atMs = NOW): Promise<void> {
  for (let hour = 0; hour < SLICES; hour += 1) await by.gather(atMs + hour * HOUR_MS);
}

const everything = (): Promise<unknown[]> => sql('SELECT * FROM daily_rollups ORDER BY monitor_id, day, location');
const places = (): Promise<unknown[]> => sql('SELECT ctid::text FROM daily_rollups ORDER BY monitor_id, day, location');

/** Returns on how many pages the rows of each monitor are, for the days of the turn at `atMs`. */
async function pages(atMs: number): Promise<number[]> {
  const { fromMs, toMs } = turnOf(atMs);
  const rows: { pages: number }[] = await sql(
    `SELECT count(DISTINCT (ctid::text::point)[0])::int AS pages FROM daily_rollups
     WHERE day >= $1::timestamptz::date AND day < $2::timestamptz::date GROUP BY monitor_id`,
    [new Date(fromMs), new Date(toMs)],
  );
  return rows.map((row) => row.pages);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Returns a check of each of these monitors on the first day of the turn, which is days late. */
function lateChecks(monitors: readonly string[]): RecordableCheck[] {
  const { fromMs } = turnOf(NOW);
  return monitors.map(
    (monitorId, index) =>
      ({
        monitorId,
        scheduledAt: fromMs + index,
        checkedAt: fromMs + index,
        location: 'default',
        attempt: 0,
        status: 'down',
        outcome: { responseTimeMs: null },
      }) as unknown as RecordableCheck,
  );
}

const totals = (): Promise<{ total: number; failed: number }[]> =>
  sql(
    `SELECT checks_total AS total, checks_failed AS failed FROM daily_rollups
     WHERE day = $1::timestamptz::date ORDER BY monitor_id`,
    [new Date(turnOf(NOW).fromMs)],
  );

it('gathers the rows of a final week without changing any row', async () => {
  const before = await everything();
  expect(await pages(NOW)).toEqual(ids.map(() => 7));
  for (let at = FIRST_DAY + 9 * DAY_MS; at <= NOW; at += 7 * DAY_MS) {
    await gatherAll(order, at);
    // In a table of only a few pages, some rows fill the space that is left at the end of a day.
    expect(sum(await pages(at))).toBeLessThanOrEqual(3 * MONITORS);
    await sql('VACUUM daily_rollups');
  }
  expect(await everything()).toEqual(before);
});

it('does not move rows that are already together, or that are not final', async () => {
  await gatherAll();
  const gathered = await places();
  await gatherAll(order, NOW + DAY_MS);
  expect(await places()).toEqual(gathered);
  const [{ moved }]: [{ moved: number }] = await sql(
    `SELECT count(*)::int AS moved FROM daily_rollups WHERE xmin <> ALL (
       SELECT xmin FROM daily_rollups WHERE day < $1::timestamptz::date OR day >= $2::timestamptz::date)`,
    [new Date(turnOf(NOW).fromMs), new Date(turnOf(NOW).toMs)],
  );
  expect(moved).toBe(MONITORS * 7);
});

it('does not wait for a row with an uncommitted change by a recorder, and does not lose that change', async () => {
  const before = await totals();
  const rollups = new RollupsService();
  await new Transactions(source).run(async (tx) => {
    await rollups.count(tx, lateChecks(ids));
    await gatherAll();
  });
  expect(await totals()).toEqual(before.map(({ total, failed }) => ({ total: total + 1, failed: failed + 1 })));
  // All rows except the locked one of each monitor.
  expect(sum(await pages(NOW))).toBeLessThanOrEqual(4 * MONITORS);
  expect(await everything()).toHaveLength(MONITORS * DAYS);
});

it('causes StaleMemory in a recorder that waits for a moved row, whose retry counts each check once', async () => {
  const before = await totals();
  const transactions = new Transactions(source);
  const rollups = new RollupsService();
  const count = () => transactions.run((tx) => rollups.count(tx, lateChecks(ids)));
  const mover = source.createQueryRunner();
  await mover.startTransaction();
  await gatherAll(new RollupOrderService(mover.manager as unknown as DataSource));
  const counting = expect(count()).rejects.toThrow(StaleMemory);
  await eventually(async () => expect(await waitingSessions(sql)).toHaveLength(1));
  await mover.commitTransaction();
  await mover.release();
  await counting;
  expect(await totals()).toEqual(before);
  rollups.forget();
  await count();
  expect(await totals()).toEqual(before.map(({ total, failed }) => ({ total: total + 1, failed: failed + 1 })));
  expect(await everything()).toHaveLength(MONITORS * DAYS);
});

it('counts each check once, without errors, while several recorders and processes run concurrently', async () => {
  const before = await totals();
  const transactions = new Transactions(source);
  const rollups = Array.from({ length: 3 }, () => new RollupsService());
  const lock = `SELECT 1 FROM monitors WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  let stale = 0;
  const record = async (by: RollupsService): Promise<void> => {
    for (;;) {
      try {
        const { remember } = await transactions.run(async (tx) => {
          await (tx as unknown as DataSource).query(lock, [ids]);
          return by.count(tx, lateChecks(ids));
        });
        return remember();
      } catch (error) {
        if (!(error instanceof StaleMemory)) throw error;
        stale += 1;
        by.forget();
      }
    }
  };
  const ROUNDS = 12;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Spread the rows again: those of each day are written after those of the previous day.
    for (let day = 0; day < 7; day += 1) {
      const date = new Date(turnOf(NOW).fromMs + day * DAY_MS);
      await sql(`UPDATE daily_rollups SET checks_late = $2 WHERE day = $1::timestamptz::date`, [date, round]);
      await sql(`UPDATE daily_rollups SET checks_late = $2 WHERE day = $1::timestamptz::date`, [date, round]);
    }
    await Promise.all([...rollups.map(record), gatherAll(), gatherAll()]);
  }
  expect(stale).toBeGreaterThan(0);
  const added = ROUNDS * rollups.length;
  expect(await totals()).toEqual(before.map(({ total, failed }) => ({ total: total + added, failed: failed + added })));
  expect(await everything()).toHaveLength(MONITORS * DAYS);
});

it('stops between batches if it may not continue', async () => {
  const before = await places();
  let stopped = false;
  for (let hour = 0; hour < SLICES; hour += 1) {
    if (!(await order.gather(NOW + hour * HOUR_MS, () => false))) stopped = true;
  }
  expect(stopped).toBe(true);
  expect(await places()).toEqual(before);
});

it('does not wait for the deletion of a monitor, which deletes all its rows', async () => {
  const gone = ids.at(-1)!;
  const deleter = source.createQueryRunner();
  await deleter.startTransaction();
  await deleter.query('DELETE FROM monitors WHERE id = $1', [gone]);
  await gatherAll();
  await deleter.commitTransaction();
  await deleter.release();
  expect(await pages(NOW)).toHaveLength(MONITORS - 1);
  expect(sum(await pages(NOW))).toBeLessThanOrEqual(3 * MONITORS);
  expect(await sql('SELECT 1 FROM daily_rollups WHERE monitor_id = $1', [gone])).toEqual([]);
});
