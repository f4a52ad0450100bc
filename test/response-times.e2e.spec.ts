import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Timings } from '../src/domain/check-result.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/durations.js';
import { type CheckResult } from '../src/modules/checker/check-queue.js';
import { type RecorderService } from '../src/modules/checker/recorder.service.js';
import { type CheckDto } from '../src/modules/checks/dto/check.dto.js';
import { type ResponseTimesBucketDto, type ResponseTimesDto } from '../src/modules/checks/dto/response-times.dto.js';
import { type PartitionsService } from '../src/modules/checks/partitions.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { HISTORY_INTERVAL_MS, resultOf } from './support/history.js';
import { checkNow, createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { PATIENCE } from './support/patience.js';
import { startTarget, type Target } from './support/target.js';
import { timed } from './support/timed.js';

const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'transferMs'] as const;

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([startApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const iso = (ms: number): string => new Date(ms).toISOString();

async function responseTimes(id: string, query: Record<string, string | number> = {}): Promise<ResponseTimesDto> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await api.get<ResponseTimesDto>(`/v1/monitors/${id}/response-times?${search.toString()}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const counted = ({ buckets }: ResponseTimesDto): number => buckets.reduce((sum, { checkCount }) => sum + checkCount, 0);

/** Returns a percentile, interpolated between the two nearest values. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}

/** Returns the figures of a bucket from the checks that count in it. */
function figuresOf(from: string, checks: readonly CheckDto[]): ResponseTimesBucketDto {
  const times = checks.map(({ responseTimeMs }) => responseTimeMs!);
  const near = (value: number): number => expect.closeTo(value, 2) as never;
  const phase = (name: (typeof PHASES)[number]): [string, number | null] => {
    const values = checks.flatMap(({ timings }) => timings[name] ?? []);
    return [name, values.length === 0 ? null : near(values.reduce((sum, one) => sum + one, 0) / values.length)];
  };
  return {
    from,
    checkCount: checks.length,
    p50ResponseTimeMs: times.length === 0 ? null : near(percentile(times, 0.5)),
    p95ResponseTimeMs: times.length === 0 ? null : near(percentile(times, 0.95)),
    timings: Object.fromEntries(PHASES.map(phase)) as unknown as Timings,
  };
}

describe('response times', () => {
  const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const fromMs = toMs - 6 * HOUR_MS;
  let id: string;

  /** Returns the result of a slot: one in ten failed, one in seven reused its connection. */
  function result(index: number): CheckResult {
    const at = fromMs - HOUR_MS + index * HISTORY_INTERVAL_MS + 17_000;
    const made = resultOf(id, at, at + 40, index % 10 === 3 ? 'down' : 'up');
    if (made.status === 'down') return made;
    const isNew = index % 7 !== 0;
    const timings = {
      ...{ dnsMs: isNew ? 1 + index / 3 : null, connectMs: isNew ? 4 + (index % 5) : null, tlsMs: null },
      ...{ firstByteMs: 20 + ((index * 37) % 100), transferMs: 0.5 },
    };
    const responseTimeMs = Object.values(timings).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
    return { ...made, outcome: { ...made.outcome, responseTimeMs, timings } };
  }

  beforeAll(async () => {
    const definition = httpMonitor(target.url('/'), { intervalSeconds: 300, timeoutMs: 5_000, paused: true });
    id = (await createMonitor(api, definition)).id;
    // From an hour before the period to an hour after it, but none in its third hour.
    const results = Array.from({ length: 96 }, (_, index) => result(index)).filter(
      (_, index) => index < 36 || index >= 48,
    );
    const retry = resultOf(id, results[40]!.scheduledAt, results[40]!.scheduledAt + 100_000, 'up', { attempt: 1 });
    await app.backstage.provider<RecorderService>('RecorderService').record([...results, retry]);
    await checkNow(api, id);
  });

  it.each([1, 4, 6, 7, 72, 1_000])('in up to %d buckets cover the period and agree with the checks', async (points) => {
    const times = await responseTimes(id, { from: iso(fromMs), to: iso(toMs), points });
    const { buckets, bucketSeconds, ...rest } = times;
    expect(rest).toEqual({ monitorId: id, from: iso(fromMs), to: iso(toMs) });
    expect(bucketSeconds % 300).toBe(0);
    expect(buckets.length).toBe(Math.ceil((toMs - fromMs) / 1_000 / bucketSeconds));
    expect(buckets.length).toBeLessThanOrEqual(points);

    const all = await listChecks(api, id);
    expect(all.some(({ trigger }) => trigger === 'retry') && all.some(({ trigger }) => trigger === 'manual')).toBe(
      true,
    );
    const within = (from: number, to: number): CheckDto[] =>
      all.filter(({ scheduledAt, status, trigger }) => {
        const at = Date.parse(scheduledAt);
        return trigger === 'schedule' && status === 'up' && at >= from && at < to;
      });
    const expected = buckets.map((_, index) => {
      const start = fromMs + index * bucketSeconds * 1_000;
      return figuresOf(iso(start), within(start, Math.min(toMs, start + bucketSeconds * 1_000)));
    });
    expect(buckets).toEqual(expected);
    expect(counted(times)).toBe(within(fromMs, toMs).length);
    expect(counted(times)).toBe(53);
  });

  it('divide the past 24 hours into up to 240 buckets by default', async () => {
    const { from, to, bucketSeconds, buckets } = await responseTimes(id);
    expect(Date.parse(to) - Date.parse(from)).toBe(DAY_MS);
    expect(Math.abs(Date.parse(to) - Date.now())).toBeLessThan(MINUTE_MS * PATIENCE);
    expect([bucketSeconds, buckets.length]).toEqual([600, 144]);
    expect(await responseTimes(id, { from })).toMatchObject({ from, bucketSeconds: 600 });
    expect(await responseTimes(id, { to })).toMatchObject({ from, to, bucketSeconds: 600 });
  });

  it('can be read with a key of the scope read, by id and by key', async () => {
    const { body } = await api.put<{ id: string }>(
      '/v1/monitors/key:shop',
      httpMonitor(target.url('/'), { paused: true }),
    );
    const answer = await app.api(app.teams.ours.read).get('/v1/monitors/key:shop/response-times?points=1');
    expect(answer).toMatchObject({ status: 200, body: { monitorId: body.id, buckets: [{ checkCount: 0 }] } });
    expect((await app.api(app.teams.theirs.read).get(`/v1/monitors/${id}/response-times`)).status).toBe(404);
  });

  it.each([
    ['from=yesterday', 'from', 'invalid_value'],
    ['to=2026-02-30T00:00:00Z', 'to', 'invalid_value'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'from', 'out_of_range'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from', 'out_of_range'],
    ['from=2026-01-01T00:00:00Z&to=2026-04-02T00:00:00Z', 'from', 'out_of_range'],
    ['points=0', 'points', 'out_of_range'],
    ['points=1001', 'points', 'out_of_range'],
    ['points=ten', 'points', 'invalid_type'],
    ['location=nowhere', 'location', 'invalid_value'],
    ['range=24h', 'range', 'unknown_parameter'],
  ])('reject %s with 400', async (query, parameter, code) => {
    const answer = await api.get(`/v1/monitors/${id}/response-times?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query', errors: [{ parameter, code }] } });
  });

  it('are empty for a period without results', async () => {
    const times = await responseTimes(id, { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', points: 2 });
    expect(times.buckets).toEqual(['00', '12'].map((hour) => figuresOf(`2020-01-01T${hour}:00:00.000Z`, [])));
  });
});

describe('response times of a heartbeat monitor', () => {
  it('are the durations of its runs', async () => {
    const settings = { schedule: { everySeconds: 86_400 } };
    const { id, pingUrl } = await createMonitor(api, { name: 'A job', type: 'heartbeat', settings });
    expect(await responseTimes(id)).toMatchObject({ bucketSeconds: 360, buckets: { length: 240 } });
    for (const report of ['/start?rid=1', '?rid=1', '']) expect((await fetch(pingUrl! + report)).status).toBe(200);
    const [check] = await eventually(async () => {
      const checks = await listChecks(api, id);
      expect(checks).toHaveLength(2);
      return checks.filter(({ responseTimeMs }) => responseTimeMs !== null);
    });
    const { buckets } = await responseTimes(id, { points: 1 });
    expect(buckets).toEqual([figuresOf(buckets[0]!.from, [check!])]);
  });
});

describe('response times over a long period', () => {
  const DAYS = 90;
  const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const fromMs = toMs - DAYS * DAY_MS;
  const period = { from: iso(fromMs), to: iso(toMs) };

  it('are read within a bound', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), { intervalSeconds: 60, paused: true }));
    const days = Array.from({ length: DAYS + 1 }, (_, day) => fromMs + day * DAY_MS);
    await app.backstage.provider<PartitionsService>('PartitionsService').ensure(days);
    await app.query(
      `INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
         interval_seconds, response_time_ms, first_byte_ms)
       SELECT $1, $2::timestamptz + n * interval '1 minute', 'default', 0, $2::timestamptz + n * interval '1 minute',
         'schedule', 'up', 1, 60, n % 100, 7 FROM generate_series(0, $3 - 1) AS n`,
      [id, period.from, DAYS * 1_440],
    );
    const { value: times, tookMs } = await timed(() => responseTimes(id, { ...period, points: 1_000 }));
    expect([times.bucketSeconds, times.buckets.length, counted(times)]).toEqual([7_800, 997, DAYS * 1_440]);
    expect(times.buckets[500]).toMatchObject({ checkCount: 130, timings: { dnsMs: null, firstByteMs: 7 } });
    expect(tookMs).toBeLessThan(2_000 * PATIENCE);
  });

  it('are rejected if it has more than a million checks', async () => {
    const { id } = await createMonitor(api, httpMonitor(target.url('/'), { intervalSeconds: 5, paused: true }));
    const search = new URLSearchParams(period).toString();
    const answer = await api.get(`/v1/monitors/${id}/response-times?${search}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'from', code: 'out_of_range' }] } });
    expect(await responseTimes(id, { from: iso(toMs - 57 * DAY_MS), to: period.to })).toMatchObject({
      bucketSeconds: 20_520,
    });
    expect(await api.patch(`/v1/monitors/${id}`, { intervalSeconds: 86_400 })).toMatchObject({ status: 200 });
    expect(await api.get(`/v1/monitors/${id}/response-times?${search}`)).toMatchObject({ status: 400 });
  });
});
