import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../test/support/database.js';
import { resultOf } from '../../../test/support/history.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { readConfig } from '../../config/app-config.js';
import { ConfigModule } from '../../config/config.module.js';
import { DatabaseModule } from '../../database/database.module.js';
import { NO_TIMINGS, type ResultStatus } from '../../domain/check-result.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import { nextSlotAfter, phaseMs } from '../../domain/schedule.js';
import { dayStart } from '../../domain/utc-day.js';
import { HttpModule } from '../../http/http.module.js';
import { type TeamId } from '../../http/auth/principal.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { checkId } from '../checks/check-id.js';
import { ChecksModule } from '../checks/checks.module.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { MonitorWritesService } from '../monitors/definition/monitor-writes.service.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { UptimeService } from '../uptime/uptime.service.js';
import { CheckQueue, type CheckResult } from './check-queue.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { ProcessesService } from './processes.service.js';
import { RecorderService } from './recorder.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { Spool } from './spool.js';

const INTERVAL = 5 * MINUTE_MS;

/** A midnight 13 to 37 hours ago: the time from 10 hours before to 12 hours after it is past, but not final. */
const midnight = dayStart(Date.now() - 13 * HOUR_MS);
const createdAt = midnight - 10 * HOUR_MS;
const now = midnight + 12 * HOUR_MS + 30 * MINUTE_MS;
const window = { fromMs: midnight - 2 * DAY_MS, toMs: midnight + DAY_MS };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let module: TestingModule;
let teamId: TeamId;
let recorder: RecorderService;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32), DATABASE_POOL: '4' });
  module = await Test.createTestingModule({
    imports: [
      ConfigModule.of(config),
      DatabaseModule,
      HttpModule,
      CertificatesModule,
      DomainsModule,
      ChecksModule,
      ExclusionsModule,
      IncidentsModule,
      MaintenanceModule,
      MonitorsModule,
      UptimeModule,
    ],
    providers: [
      RecorderService,
      SlotClockService,
      LeaseService,
      ProcessesService,
      { provide: CheckQueue, useClass: InProcessQueue },
      { provide: Spool, useFactory: () => new Spool('/nonexistent', 0) },
    ],
  }).compile();
  recorder = module.get(RecorderService);
  teamId = uuidv7() as TeamId;
  await sql('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});

afterAll(async () => {
  await module?.close();
  await database?.drop();
});

const sql = <T>(text: string, parameters: unknown[]): Promise<T> => module.get(DataSource).query(text, parameters);

/**
 * Creates a monitor in mid-window with an interval of 5 minutes and a hand-made history: an outage across midnight, a
 * pause inside it, maintenance over both, an absence of the service, slots without data, slow responses.
 */
async function makeHistory() {
  const { id } = await module
    .get(MonitorWritesService)
    .create(teamId, { name: 'M', type: 'http', url: 'https://example.com/', intervalSeconds: 300 });
  await sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, new Date(createdAt)]);
  await sql('DELETE FROM check_requests WHERE monitor_id = $1', [id]);

  const phase = phaseMs(id, INTERVAL);
  const first = nextSlotAfter(phase, INTERVAL, createdAt - 1);
  const last = nextSlotAfter(phase, INTERVAL, midnight + 12 * HOUR_MS) - INTERVAL;
  const slotFrom = (time: number): number => nextSlotAfter(phase, INTERVAL, time - 1);

  const outage = { from: slotFrom(midnight - HOUR_MS), to: slotFrom(midnight + HOUR_MS) };
  const pause = { from: midnight - 30 * MINUTE_MS, to: midnight - 10 * MINUTE_MS };
  const resumedCheck = pause.to + 50;
  const maintenance = { from: midnight - 40 * MINUTE_MS, to: midnight + 15 * MINUTE_MS };
  const absence = { from: midnight + 3 * HOUR_MS + 1, to: midnight + 4 * HOUR_MS + 2 };
  const unseen = { from: slotFrom(midnight + 6 * HOUR_MS), to: slotFrom(midnight + 6 * HOUR_MS) + 3 * INTERVAL };
  const slow = { from: slotFrom(midnight + 8 * HOUR_MS), to: slotFrom(midnight + 8 * HOUR_MS) + 4 * INTERVAL };

  const within = (time: number, span: { from: number; to: number }): boolean => span.from <= time && time < span.to;
  const statusAt = (time: number): ResultStatus =>
    within(time, outage) ? 'down' : within(time, slow) ? 'degraded' : 'up';
  const result = (scheduledAt: number, attempt: number, checkedAt: number, status: ResultStatus): CheckResult => ({
    monitorId: id,
    location: 'default',
    revision: 1,
    intervalMs: INTERVAL,
    epoch: 1,
    scheduledAt,
    attempt,
    checkedAt,
    status,
    trigger: attempt === 0 ? 'schedule' : attempt > 0 ? 'retry' : 'resumed',
    outcome: {
      statusCode: null,
      responseTimeMs: status === 'up' || status === 'degraded' ? 20 : null,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error: status === 'down' ? { code: 'connect_refused', message: 'The target refused the connection.' } : null,
      failedAssertions: [],
    },
  });
  const results: CheckResult[] = [];
  for (let slot = first; slot <= last; slot += INTERVAL) {
    if (within(slot, pause) || within(slot, absence) || within(slot, unseen)) continue;
    results.push(result(slot, 0, slot, statusAt(slot)));
  }
  // The retry that confirms the outage, a retry with an unknown result, and the check at the end of the pause.
  results.push(result(outage.from, 1, outage.from + 100_000, 'down'));
  results.push(result(outage.from, 2, outage.from + 150_000, 'unknown'));
  results.push(result(pause.to, -1, resumedCheck, 'down'));

  const span = (kind: string, { from, to }: { from: number; to: number }): Promise<unknown> =>
    sql('INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at) VALUES ($1, $2, $3, $4, $5)', [
      uuidv7(),
      id,
      kind,
      new Date(from),
      new Date(to),
    ]);
  await span('pause', pause);
  await sql('UPDATE monitors SET resumed_at = $2 WHERE id = $1', [id, new Date(pause.to)]);
  await span('maintenance', maintenance);

  // Computed by hand. The last result is valid until the slot after it.
  const tailFrom = last + INTERVAL;
  const expected = [
    { unknownSeconds: DAY_MS },
    {
      unknownSeconds: first - (midnight - DAY_MS),
      upSeconds: outage.from - first,
      downSeconds: maintenance.from - outage.from,
      // 40 minutes before midnight, less the pause, which takes precedence.
      maintenanceSeconds: 20 * MINUTE_MS,
      pausedSeconds: 20 * MINUTE_MS,
      incidentCount: 1,
    },
    {
      maintenanceSeconds: 15 * MINUTE_MS,
      downSeconds: outage.to - maintenance.to,
      degradedSeconds: 4 * INTERVAL,
      // The absence, three slots without data, and the time from the first slot without a result until now.
      unknownSeconds: HOUR_MS + 1 + 3 * INTERVAL + (now - tailFrom),
      upSeconds: tailFrom - outage.to - 4 * INTERVAL - 3 * INTERVAL - HOUR_MS - 1,
      incidentCount: 1,
    },
  ];
  return { id, results, absence, outage, expected, slots: results.filter((one) => one.attempt === 0) };
}

const KINDS = ['up', 'degraded', 'down', 'maintenance', 'paused', 'excluded', 'unknown'] as const;

async function expectHistory(history: Awaited<ReturnType<typeof makeHistory>>): Promise<void> {
  const uptime = (await module.get(UptimeService).of([history.id], window, now)).get(history.id)!;
  const days = uptime.days.map((day) => ({
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}Seconds`, Math.round(day[`${kind}Seconds`] * 1_000)])),
    incidentCount: day.incidentCount,
  }));
  const none = Object.fromEntries(KINDS.map((kind) => [`${kind}Seconds`, 0]));
  expect(days).toEqual(history.expected.map((day) => ({ ...none, incidentCount: 0, ...day })));
  expect(uptime.totals.incidentCount).toBe(1);
  const total = (pick: 'checksTotal' | 'checksFailed'): number => uptime.days.reduce((sum, day) => sum + day[pick], 0);
  expect(total('checksTotal')).toBe(history.slots.length);
  expect(total('checksFailed')).toBe(history.slots.filter((one) => one.status === 'down').length);
}

/** Returns the stored history of a monitor, without ids. */
async function stored(id: string): Promise<unknown> {
  const transitions = await sql(
    'SELECT at, confirmed_at, from_status, to_status, error_code FROM transitions WHERE monitor_id = $1 ORDER BY at',
    [id],
  );
  const gaps = await sql(`SELECT starts_at, ends_at FROM spans WHERE monitor_id = $1 AND kind = 'gap' ORDER BY 1`, [
    id,
  ]);
  const states = await sql(
    'SELECT fold, holds_until, missing_from, last_check_at FROM location_states WHERE monitor_id = $1',
    [id],
  );
  const rollups = await sql(
    'SELECT day, checks_total, checks_failed, histogram FROM daily_rollups WHERE monitor_id = $1 ORDER BY day',
    [id],
  );
  const incidents = await sql(
    `SELECT title, impact, started_at, confirmed_at, resolved_at, settles_at, outage_count, cause FROM incidents i
     JOIN incident_monitors im ON im.incident_id = i.id WHERE im.monitor_id = $1 ORDER BY started_at`,
    [id],
  );
  return { transitions, gaps, states, rollups, incidents };
}

/** Deletes everything that recording has written. */
async function forget(id: string): Promise<void> {
  for (const table of ['checks', 'transitions', 'location_states', 'monitor_checkpoints', 'daily_rollups']) {
    await sql(`DELETE FROM ${table} WHERE monitor_id = $1`, [id]);
  }
  await sql(`DELETE FROM spans WHERE monitor_id = $1 AND kind = 'gap'`, [id]);
  await sql('DELETE FROM incidents WHERE id IN (SELECT incident_id FROM incident_monitors WHERE monitor_id = $1)', [
    id,
  ]);
}

describe('recording a known history', () => {
  let history: Awaited<ReturnType<typeof makeHistory>>;
  let inOrder: unknown;

  beforeAll(async () => {
    history = await makeHistory();
    const { from, to } = history.absence;
    await sql(`INSERT INTO spans (id, location, kind, starts_at, ends_at) VALUES ($1, 'default', 'absence', $2, $3)`, [
      uuidv7(),
      new Date(from),
      new Date(to),
    ]);
    for (const result of [...history.results].sort((a, b) => a.checkedAt - b.checkedAt))
      await recorder.record([result]);
    inOrder = await stored(history.id);
  });

  it('results in the seconds of each kind and day that were computed by hand', async () => {
    await expectHistory(history);
  });

  it('results in one incident, from the first failing check to the first passing one', () => {
    const { from, to } = history.outage;
    const checkOf = (slot: number): string => checkId({ scheduledAt: slot, attempt: 0, location: 'default' });
    expect((inOrder as { incidents: unknown[] }).incidents).toEqual([
      {
        title: 'M is down',
        impact: 'down',
        started_at: new Date(from),
        confirmed_at: new Date(from + 100_000),
        resolved_at: new Date(to),
        settles_at: null,
        outage_count: 1,
        cause: {
          errorCode: 'connect_refused',
          message: 'The target refused the connection.',
          statusCode: null,
          firstFailedCheckId: checkOf(from),
          lastFailedCheckId: checkOf(to - INTERVAL),
          failedAssertions: [],
        },
      },
    ]);
  });

  it('counts each result once, however often it is delivered', async () => {
    expect(await recorder.record(history.results)).toBe(0);
    expect(await stored(history.id)).toEqual(inOrder);
    await expectHistory(history);
  });

  it('has the same result for any order and batching of the results, some delivered twice', async () => {
    const indices = history.results.map((_, index) => index);
    const deliveries = fc
      .tuple(
        fc.shuffledSubarray(indices, { minLength: indices.length }),
        fc.subarray(indices, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
      )
      .map(([order, twice, sizes]) => batches([...order, ...twice], sizes));
    await fc.assert(
      fc.asyncProperty(deliveries, async (delivery) => {
        await forget(history.id);
        for (const batch of delivery) await recorder.record(batch.map((index) => history.results[index]!));
        expect(await stored(history.id)).toEqual(inOrder);
        await expectHistory(history);
      }),
      propertyRuns(200),
    );
  }, 300_000);

  it('changes no more than necessary when a sequence of results arrives after newer ones', async () => {
    const monitor = await makeHistory();
    const results = [...monitor.results].sort((a, b) => a.checkedAt - b.checkedAt);
    const { from } = monitor.outage;
    // Spooled are the results from an hour before the outage until its confirmation.
    const isSpooled = ({ checkedAt }: CheckResult): boolean =>
      from - HOUR_MS <= checkedAt && checkedAt < from + INTERVAL;
    const told = (): Promise<{ id: string; at: Date; to_status: string }[]> =>
      sql('SELECT id, at, to_status FROM transitions WHERE monitor_id = $1 ORDER BY at', [monitor.id]);
    const incident = (): Promise<{ id: string; started_at: Date; resolved_at: Date }[]> =>
      sql(
        `SELECT i.id, started_at, resolved_at FROM incidents i
         JOIN incident_monitors im ON im.incident_id = i.id WHERE im.monitor_id = $1`,
        [monitor.id],
      );
    await recorder.record(results.filter((result) => !isSpooled(result)));
    const [before, incidentBefore] = [await told(), await incident()];
    // Without them, the outage is only seen from the next slot on.
    expect(before.find((one) => one.to_status === 'down')!.at).toEqual(new Date(from + INTERVAL));

    await recorder.record(results.filter(isSpooled));
    await expectHistory(monitor);
    const after = await told();
    const kept = (list: typeof before) => list.filter((one) => one.to_status !== 'down');
    expect(kept(after)).toEqual(kept(before));
    expect(after.find((one) => one.to_status === 'down')!.at).toEqual(new Date(from));
    expect(await incident()).toEqual([{ ...incidentBefore[0]!, started_at: new Date(from) }]);
  });

  it('applies the thresholds of each check, whatever they are when a late result arrives', async () => {
    const monitor = await makeHistory();
    const thresholds = { failureThreshold: 2, recoveryThreshold: 1 };
    const [first, ...later] = monitor.results.map((result) => ({ ...result, thresholds }));
    await recorder.record(later);
    await sql('UPDATE monitors SET failure_threshold = 10, recovery_threshold = 10 WHERE id = $1', [monitor.id]);
    await recorder.record([first!]);
    await expectHistory(monitor);
  });

  it('keeps a history that is older than the stored results when a late result arrives', async () => {
    const monitor = await makeHistory();
    const [late, ...others] = [...monitor.results].sort((a, b) => a.checkedAt - b.checkedAt).slice(1);
    await recorder.record(others);
    await sql('DELETE FROM monitor_checkpoints WHERE monitor_id = $1', [monitor.id]);
    const old = new Date(createdAt - 100 * DAY_MS);
    await sql(
      `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status)
       VALUES ($1, $2, 'default', $3, $3, 'pending', 'up')`,
      [uuidv7(), monitor.id, old],
    );
    await recorder.record([late!]);
    const told = await sql<{ at: Date }[]>('SELECT at FROM transitions WHERE monitor_id = $1 ORDER BY at', [
      monitor.id,
    ]);
    expect(told.slice(0, 2)).toEqual([{ at: old }, { at: new Date(late!.checkedAt) }]);
  });

  it('skips a result of a deleted monitor', async () => {
    const gone = { ...history.results[0]!, monitorId: uuidv7() };
    expect(await recorder.record([gone])).toBe(0);
    expect(await sql('SELECT 1 FROM checks WHERE monitor_id = $1', [gone.monitorId])).toEqual([]);
  });
});

it('lets a state expire although its location was disabled before its last result was recorded', async () => {
  const { id } = await module
    .get(MonitorWritesService)
    .create(teamId, { name: 'M', type: 'http', url: 'https://example.com/', intervalSeconds: 300 });
  const first = Date.now() - HOUR_MS;
  const last = first + INTERVAL + 1;
  const spanId = uuidv7();
  await sql(
    `INSERT INTO spans (id, location, kind, starts_at, reason) VALUES ($1, 'default', 'absence', $2, 'disabled')`,
    [spanId, new Date(last - 1)],
  );
  try {
    for (const at of [first, last]) await recorder.record([resultOf(id, at, at, 'up')]);
    const [state] = await sql<{ holds_until: Date | null }[]>(
      'SELECT holds_until FROM location_states WHERE monitor_id = $1',
      [id],
    );
    expect(state!.holds_until!.getTime()).toBeLessThanOrEqual(last + 2 * INTERVAL + 1_000);
  } finally {
    await sql('DELETE FROM spans WHERE id = $1', [spanId]);
  }
});

function batches<T>(items: readonly T[], sizes: readonly number[]): T[][] {
  const found: T[][] = [];
  for (let from = 0, turn = 0; from < items.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    found.push(items.slice(from, from + size));
    from += size;
  }
  return found;
}
