import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ResultStatus } from '../src/domain/check-result.js';
import { DAY_MS, HOUR_MS } from '../src/domain/durations.js';
import { nextSlotAfter, phaseMs } from '../src/domain/schedule.js';
import { dateOf, dayStart } from '../src/domain/utc-day.js';
import { type Page } from '../src/http/lists/page.js';
import { type CheckResult } from '../src/modules/checker/check-queue.js';
import { type RecorderService } from '../src/modules/checker/recorder.service.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type TransitionDto } from '../src/modules/monitors/dto/transition.dto.js';
import { type SpansService } from '../src/modules/monitors/history/spans.service.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type UptimeDayDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { linkTo, type DatabaseLink } from './support/database-link.js';
import { eventually } from './support/eventually.js';
import { HISTORY_INTERVAL_MS as INTERVAL, resultOf } from './support/history.js';
import { createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { startTarget, type Target } from './support/target.js';

const yesterday = dayStart(Date.now()) - DAY_MS;

let app: TestApp;
let api: Client;
let link: DatabaseLink;
let target: Target;
beforeAll(async () => {
  target = await startTarget();
  app = await startApp({}, async (url) => {
    link = await linkTo(url);
    return link.url;
  });
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await link.cut();
  await target.close();
});

/** Creates a monitor that was checked every five minutes of yesterday and has been paused since. */
async function past(
  failureThreshold: number,
  statusAt: (index: number, slot: number) => ResultStatus | null,
  more: (id: string, slots: readonly number[]) => CheckResult[] = () => [],
): Promise<{ id: string; slots: number[] }> {
  const definition = httpMonitor('http://127.0.0.1:9/', { intervalSeconds: 300, failureThreshold, paused: true });
  const { id } = await createMonitor(api, definition);
  await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, new Date(yesterday - HOUR_MS)]);
  const slots: number[] = [];
  const first = nextSlotAfter(phaseMs(id, INTERVAL), INTERVAL, yesterday - 1);
  for (let slot = first; slot < yesterday + DAY_MS; slot += INTERVAL) slots.push(slot);
  const results = slots.flatMap((slot, index) => {
    const status = statusAt(index, slot);
    return status === null ? [] : [resultOf(id, slot, slot, status)];
  });
  const before = resultOf(id, first - INTERVAL, first - INTERVAL, 'up');
  await app.backstage.provider<RecorderService>('RecorderService').record([before, ...results, ...more(id, slots)]);
  return { id, slots };
}

async function dayOf(id: string, more = ''): Promise<UptimeDayDto> {
  const date = dateOf(yesterday);
  const { body } = await api.get<{ days: UptimeDayDto[] }>(`/v1/monitors/${id}/uptime?from=${date}&to=${date}${more}`);
  return body.days[0]!;
}

async function incidentsOf(id: string): Promise<IncidentDto[]> {
  return (await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents`)).body.data;
}

describe('common complaints about uptime monitors', () => {
  it('“99.92% is shown, but there was no outage”: unconfirmed failures do not reduce the uptime', async () => {
    // Every seventh check fails, and the re-check 20 s later passes.
    const failing = (index: number): boolean => index % 7 === 3;
    const { id, slots } = await past(
      2,
      (index) => (failing(index) ? 'down' : 'up'),
      (monitorId, all) =>
        all
          .filter((_, index) => failing(index))
          .map((slot) => resultOf(monitorId, slot, slot + 20_000, 'up', { attempt: 1 })),
    );
    expect(await dayOf(id)).toMatchObject({
      uptimePercent: 100,
      downSeconds: 0,
      upSeconds: 86_400,
      incidentCount: 0,
      status: 'up',
      checksTotal: slots.length,
      checksFailed: slots.filter((_, index) => failing(index)).length,
    });
    expect(await incidentsOf(id)).toEqual([]);
  });

  it('“retries count as downtime”: retries do not change the duration of an outage', async () => {
    const isDown = (index: number): boolean => 100 <= index && index < 112;
    const statusAt = (index: number): ResultStatus => (isDown(index) ? 'down' : 'up');
    const retries = (monitorId: string, all: readonly number[]): CheckResult[] =>
      all
        .filter((_, index) => isDown(index))
        .flatMap((slot) =>
          [1, 2, 3, 4, 5].map((attempt) => resultOf(monitorId, slot, slot + attempt * 20_000, 'down', { attempt })),
        );
    // Slow passing re-checks on the same day: they must not affect its response times.
    const slow = (monitorId: string, all: readonly number[]): CheckResult[] =>
      all
        .slice(200, 210)
        .map((slot) => resultOf(monitorId, slot, slot + 20_000, 'up', { attempt: 1, responseTimeMs: 9_000 }));
    const [plain, retried] = [
      await past(3, statusAt),
      await past(3, statusAt, (...args) => [...retries(...args), ...slow(...args)]),
    ];
    for (const { id, slots } of [plain, retried]) {
      const day = await dayOf(id);
      expect(day).toMatchObject({ downSeconds: 3_600, upSeconds: 82_800, incidentCount: 1, avgResponseTimeMs: 20 });
      expect(day).toMatchObject({ checksTotal: slots.length, checksFailed: 12, uptimePercent: 95.833 });
      expect(day.p95ResponseTimeMs).toBeLessThan(21);
      const { data } = (await api.get<Page<TransitionDto>>(`/v1/monitors/${id}/transitions`)).body;
      expect(data.slice(0, 2).map(({ at }) => Date.parse(at))).toEqual([slots[112], slots[100]]);
    }
    // The retries only confirm the outage sooner.
    const [first] = await incidentsOf(plain.id);
    const [sooner] = await incidentsOf(retried.id);
    expect(Date.parse(first!.confirmedAt!)).toBe(plain.slots[102]);
    expect(Date.parse(sooner!.confirmedAt!)).toBe(retried.slots[100]! + 40_000);
  });

  it.each<ResultStatus>(['up', 'down'])(
    '“our own outage was shown as %s”: time without checks is unknown and counts as neither up nor down',
    async (before) => {
      const [from, to] = [yesterday + 6 * HOUR_MS, yesterday + 9 * HOUR_MS];
      await app.backstage
        .inTransaction<SpansService>('SpansService')
        .addAbsences(['default'], [{ shard: 'all', of: 1, from, to }], 'not_running');
      const { id } = await past(1, (_, slot) => (from <= slot && slot < to ? null : before));
      const day = await dayOf(id);
      expect(day.unknownSeconds).toBe(10_800);
      expect(day.upSeconds + day.downSeconds).toBeCloseTo(75_600, 3);
      if (before === 'up') expect(day.uptimePercent).toBe(100);
      // An outage that spans the gap is one incident, and only its observed part counts.
      if (before === 'down') expect(await incidentsOf(id)).toHaveLength(1);
      await app.query(`DELETE FROM spans WHERE kind = 'absence'`);
    },
  );

  it('“no data is shown as 0% or 100%”: without data, no percentage is reported anywhere', async () => {
    const { id } = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true }));
    const slug = randomUUID();
    const { body: page } = await api.post<{ components: { id: string }[] }>('/v1/status-pages', {
      name: 'P',
      slug,
      monitorIds: [id],
    });
    expect(await dayOf(id)).toMatchObject({ uptimePercent: null, status: 'unknown', unknownSeconds: 86_400 });
    const { body } = await api.get<{ uptimePercent: null; coveragePercent: number }>(`/v1/monitors/${id}/uptime`);
    expect(body).toMatchObject({ uptimePercent: null, coveragePercent: 0 });
    const shown = (await app.api().get<PublicPageDto>(`/status/${slug}.json`)).body.components[0];
    expect(shown).toMatchObject({ uptimePercent: null, observedSeconds: 0 });
    const badge = await (await fetch(`${app.origin}/badges/${slug}/${page.components[0]!.id}/uptime.svg`)).text();
    expect(badge).not.toMatch(/\d ?%/);
    const report = await api.get<{ total: object }>(`/v1/reports/sla?monitorId=${id}`);
    expect(report.body.total).toMatchObject({ uptimePercent: null, burnRate: null, met: null });
  });

  it('“everything went down when the database hiccuped”: checks continue, and no monitor goes down', async () => {
    const monitors = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        createMonitor(
          api,
          httpMonitor(target.url(`/database/${index}`), {
            failureThreshold: 1,
            intervalSeconds: 5,
            // As long as possible: the target runs in this process, which a busy machine may hold up.
            timeoutMs: 5_000,
            tags: ['hiccup'],
          }),
        ),
      ),
    );
    // One request for all: fifty pollers would slow the target down, which runs in this process.
    await eventually(async () => {
      const { body } = await api.get<Page<MonitorDto>>('/v1/monitors?tag=hiccup&status=up&limit=100');
      expect(body.data).toHaveLength(monitors.length);
    }, 30_000);
    const requests = (): number[] => monitors.map((_, index) => target.requests(`/database/${index}`).length);
    const before = requests();
    await link.cut();
    await eventually(() => {
      for (const [index, count] of requests().entries()) expect(count).toBeGreaterThanOrEqual(before[index]! + 2);
    }, 20_000);
    const seen = requests();
    await link.restore();
    await eventually(async () => {
      for (const [index, { id }] of monitors.entries()) {
        const checks = await listChecks(api, id);
        expect(checks.length).toBeGreaterThanOrEqual(seen[index]!);
        expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['up']));
      }
    }, 30_000);
    for (const { id } of monitors) {
      expect(await incidentsOf(id)).toEqual([]);
      const { body } = await api.get<{ totals: object }>(`/v1/monitors/${id}/uptime?days=2`);
      expect(body.totals).toMatchObject({ downSeconds: 0, incidentCount: 0 });
    }
  }, 90_000);
});
