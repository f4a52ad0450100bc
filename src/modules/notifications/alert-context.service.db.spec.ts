import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/durations.js';
import { type ParentFacts } from '../../domain/notification-plan/facts.js';
import { PartitionsService } from '../checks/partitions.service.js';
import { AlertContext } from './alert-context.service.js';

/** 100,000 checks of each monitor, one every five seconds, end at about the present. */
const CHECKS = 100_000;
const NOW = Date.now();
const BEGAN = NOW - CHECKS * 5 * SECOND_MS;
/** When the child failed, and when its alert was recorded. */
const FAILED = BEGAN + DAY_MS;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
const context = new AlertContext();
const [teamId, parent, child] = [uuidv7(), uuidv7(), uuidv7()];

beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 2);
  const days = Array.from({ length: 8 }, (_, day) => BEGAN + day * DAY_MS);
  await new PartitionsService(source, readConfig({})).ensure(days);
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
  for (const [id, parents, status] of [
    [parent, [], 'up'],
    [child, [parent], 'down'],
  ] as const) {
    await source.query(
      `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
         recovery_threshold, locations, quorum, tags, metadata, parent_ids)
       VALUES ($1, $2, 'M', 'http', '{}', 'https://example.com', 5, 100, 2, 1, '{default}', 'majority', '{}', '{}', $3)`,
      [id, teamId, parents],
    );
    await source.query(
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
         interval_seconds)
       SELECT $1, $2::timestamptz + n * interval '5 seconds', 'default', 0,
         $2::timestamptz + n * interval '5 seconds' + interval '20 milliseconds', 'schedule', $3, 1, 5
       FROM generate_series(1, $4) AS n`,
      [id, new Date(BEGAN), status, CHECKS],
    );
  }
  await source.query('ANALYZE checks');
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

/** Returns what was read, with the number of rows of checks that this took. */
function counting<T>(read: (tx: Tx) => Promise<T>): Promise<{ found: T; rows: number }> {
  return new Transactions(source).run(async (tx) => {
    const before = await rowsRead(tx);
    const found = await read(tx);
    return { found, rows: (await rowsRead(tx)) - before };
  });
}

/** Returns the rows of checks that the connection has read, including those of earlier transactions. */
async function rowsRead(tx: Tx): Promise<number> {
  const [{ rows }]: [{ rows: number }] = await managerOf(tx).query(
    `SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int AS rows FROM pg_stat_xact_user_tables
     WHERE relname LIKE 'checks%'`,
  );
  return rows;
}

describe('the search for the results that an alert waits for', () => {
  const span = { monitorId: child, type: 'http', sinceMs: FAILED, untilMs: null };
  const minutes = (count: number): number => (count * MINUTE_MS) / (5 * SECOND_MS);

  it('reads the checks of a parent from around the failure, however old the alert is', async () => {
    const { found, rows } = await counting((tx) =>
      context.parents(tx, [{ ...span, recordedMs: FAILED + 10 * SECOND_MS }]),
    );
    expect(found).toEqual([[{ answeredAt: FAILED + 20, down: [] }]]);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(minutes(12));
  });

  it('reads the checks after maintenance up to the first one that failed', async () => {
    const [from, to] = [FAILED + MINUTE_MS, FAILED + 2 * MINUTE_MS];
    await source.query(
      `INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'maintenance', $3, $4)`,
      [uuidv7(), child, new Date(from), new Date(to)],
    );
    const { found, rows } = await counting((tx) => context.maintenance(tx, [span]));
    expect(found).toEqual([[{ from, to, failsAgainAt: to + 20 }]]);
    expect(rows).toBeLessThan(minutes(12));
  });

  it('counts a slow check after maintenance only if the alert is about a degraded monitor', async () => {
    const [from, to, checkedAt] = [FAILED + 2 * MINUTE_MS, FAILED + 3 * MINUTE_MS, FAILED + 3 * MINUTE_MS + SECOND_MS];
    await source.query(
      `INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'maintenance', $3, $4)`,
      [uuidv7(), parent, new Date(from), new Date(to)],
    );
    await source.query(
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
         interval_seconds) VALUES ($1, $2, 'default', 0, $2, 'schedule', 'degraded', 1, 5)`,
      [parent, new Date(checkedAt)],
    );
    const down = { ...span, monitorId: parent };
    const found = await new Transactions(source).run((tx) =>
      context.maintenance(tx, [{ ...down, isDegraded: true }, down]),
    );
    expect(found).toEqual([[{ from, to, failsAgainAt: checkedAt }], [{ from, to, failsAgainAt: null }]]);
  });
});

describe('a parent with an open incident', () => {
  const at = (minute: number): Date => new Date(FAILED + minute * MINUTE_MS);
  const facts = async (): Promise<ParentFacts> => {
    const failed = { monitorId: child, type: 'http', sinceMs: FAILED, untilMs: null, recordedMs: FAILED };
    const found = await new Transactions(source).run((tx) => context.parents(tx, [failed]));
    return found[0]![0]!;
  };
  const down = (from: number, to: number | null) => ({
    from: at(from).getTime(),
    to: to === null ? null : at(to).getTime(),
    failsAgainAt: to === null ? null : at(to).getTime() + 20,
  });

  beforeAll(async () => {
    const incidentId = uuidv7();
    await source.query(
      `INSERT INTO incidents (id, team_id, kind, title, impact, started_at, created_at, cause)
       VALUES ($1, $2, 'detected', 'Down', 'down', $3, $3, '{}')`,
      [incidentId, teamId, at(1)],
    );
    await source.query('INSERT INTO incident_monitors (incident_id, monitor_id, team_id) VALUES ($1, $2, $3)', [
      incidentId,
      parent,
      teamId,
    ]);
  });
  afterEach(() => source.query(`DELETE FROM spans WHERE kind = 'pause'`));
  const pause = (from: number, to: number | null) =>
    source.query(`INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, 'pause', $3, $4)`, [
      uuidv7(),
      parent,
      at(from),
      to === null ? null : at(to),
    ]);

  it('is down, and asked for a result', async () => {
    expect(await facts()).toEqual({ answeredAt: FAILED + 20, down: [down(1, null)] });
  });

  it('is not down while it is paused', async () => {
    await pause(2, 3);
    await pause(5, null);
    expect((await facts()).down).toEqual([down(1, 2), down(3, 5)]);
  });

  it('is not asked for a result while it is paused', async () => {
    await pause(-1, null);
    expect(await facts()).toEqual({ answeredAt: FAILED, down: [] });
  });
});
