import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../src/domain/durations.js';
import { type SlaReportDto } from '../src/modules/uptime/dto/sla-report.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { type PastMonitor, pastMonitor } from './support/history.js';

const iso = (ms: number): string => new Date(ms).toISOString();
const REPORT = '/v1/reports/sla';

let app: TestApp;
let api: Client;
let down: PastMonitor;
let up: PastMonitor;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  down = await pastMonitor(app, api, { name: '=HYPERLINK("x")', key: 'down', tags: ['shop', 'live'] });
  up = await pastMonitor(app, api, { name: 'Always, up', tags: ['shop'] }, { isDown: false });
});
afterAll(() => app.close());

async function report(query = ''): Promise<SlaReportDto> {
  const { status, body } = await api.get<SlaReportDto>(`${REPORT}?${down.query}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function as(accept: string, query = down.query) {
  return api.call<string>('GET', `${REPORT}?${query}`, { headers: { accept } });
}

describe('an SLA report', () => {
  it('reports the expected figures of each monitor and of the total', async () => {
    const { monitors, total, ...rest } = await report('&target=99');
    expect(rest).toEqual({
      from: iso(down.firstDayMs),
      to: iso(down.secondDayMs + 86_400_000),
      timezone: 'UTC',
      computedAt: expect.any(String),
      method: 'confirmed-seconds/1',
      targetPercent: 99,
      raw: false,
    });
    expect(monitors).toEqual([
      {
        monitorId: down.id,
        key: 'down',
        name: '=HYPERLINK("x")',
        uptimePercent: 97.916,
        coveragePercent: 100,
        monitoredSeconds: 172_800,
        downSeconds: 3_600,
        incidentCount: 1,
        mttrSeconds: 3_600,
        mtbfSeconds: 169_200,
        errorBudgetSeconds: 1_728,
        errorBudgetConsumedSeconds: 3_600,
        errorBudgetRemainingSeconds: -1_872,
        burnRate: 2.0834,
        met: false,
      },
      {
        monitorId: up.id,
        key: null,
        name: 'Always, up',
        uptimePercent: 100,
        coveragePercent: 100,
        monitoredSeconds: 172_800,
        downSeconds: 0,
        incidentCount: 0,
        mttrSeconds: null,
        mtbfSeconds: null,
        errorBudgetSeconds: 1_728,
        errorBudgetConsumedSeconds: 0,
        errorBudgetRemainingSeconds: 1_728,
        burnRate: 0,
        met: true,
      },
    ]);
    expect(total).toEqual({
      monitorCount: 2,
      uptimePercent: 98.958,
      coveragePercent: 100,
      monitoredSeconds: 345_600,
      downSeconds: 3_600,
      incidentCount: 1,
      mttrSeconds: 3_600,
      mtbfSeconds: 342_000,
      errorBudgetSeconds: 3_456,
      errorBudgetConsumedSeconds: 3_600,
      errorBudgetRemainingSeconds: -144,
      burnRate: 1.0417,
      met: false,
    });
  });

  it.each([
    // One hour in two days is 1/48 of downtime: 97.91666… percent uptime.
    ['97.9166', true],
    ['97.9167', false],
  ])('has met the target %s: %p', async (target, met) => {
    expect((await report(`&target=${target}&monitorId=key:down`)).total.met).toBe(met);
  });

  it('takes exclusions into account, unless it is raw', async () => {
    const exclusion = await api.post<{ id: string }>('/v1/exclusions', {
      monitorIds: [down.id],
      from: iso(down.outage.from),
      to: iso(down.outage.to),
      reason: 'Not ours',
    });
    const filter = '&monitorId=key:down';
    const { total } = await report(filter);
    expect(total).toMatchObject({ downSeconds: 0, incidentCount: 0, met: true, monitoredSeconds: 169_200 });
    expect(total).toMatchObject({ coveragePercent: 97.916, errorBudgetSeconds: 169.2, burnRate: 0 });
    const raw = await report(`${filter}&raw=true`);
    expect(raw).toMatchObject({ raw: true, total: { downSeconds: 3_600, incidentCount: 1, met: false } });
    await api.delete(`/v1/exclusions/${exclusion.body.id}`);
    expect((await report(filter)).total).toEqual(raw.total);
  });

  it('includes the named monitors that have all of the tags', async () => {
    const names = async (query: string): Promise<string[]> =>
      (await report(query)).monitors.map(({ monitorId }) => (monitorId === up.id ? 'up' : 'down'));
    expect(await names('')).toEqual(['down', 'up']);
    expect(await names('&tag=shop')).toEqual(['down', 'up']);
    expect(await names('&tag=shop&tag=live')).toEqual(['down']);
    expect(await names(`&monitorId=${up.id}`)).toEqual(['up']);
    expect(await names(`&monitorId=${up.id}&monitorId=key:down&monitorId=${down.id}`)).toEqual(['down', 'up']);
    expect(await names(`&monitorId=${up.id}&tag=live`)).toEqual([]);
    expect((await report('&tag=nobody')).total).toMatchObject({ monitorCount: 0, uptimePercent: null, met: null });
  });

  it('by default covers the last 30 days up to today with the target 99.9', async () => {
    const { body } = await api.get<SlaReportDto>(REPORT);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(30 * DAY_MS);
    expect(Date.parse(body.to)).toBe(down.secondDayMs + 2 * DAY_MS);
    expect(body.targetPercent).toBe(99.9);
    // The budget includes the rest of today, which may still be monitored.
    const { monitoredSeconds, errorBudgetSeconds } = body.monitors[0]!;
    const ahead = (Date.parse(body.to) - Date.parse(body.computedAt)) / 1_000;
    expect(errorBudgetSeconds).toBeCloseTo((monitoredSeconds + ahead) / 1_000, 2);
  });

  it.each([
    ['target=0', 'target'],
    ['target=0.0000', 'target'],
    ['target=100', 'target'],
    ['target=99.99999', 'target'],
    ['target=-1', 'target'],
    ['target=1e1', 'target'],
    ['target=99.9&target=99', 'target'],
    ['monitorId=key:nobody', 'monitorId'],
    ['monitorId=nothing', 'monitorId'],
    ['from=2026-02-30', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2024-01-01&to=2025-12-31', 'from'],
    ['raw=perhaps', 'raw'],
    ['days=3', 'days'],
    [`tag=${'x'.repeat(51)}`, 'tag'],
  ])('is rejected with ?%s', async (query, parameter) => {
    const answer = await api.get(`${REPORT}?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query', errors: [{ parameter }] } });
  });

  it("neither includes another team's monitors nor discloses their existence", async () => {
    const theirs = app.api(app.teams.theirs.write);
    const foreign = await pastMonitor(app, theirs, { key: 'foreign' });
    expect((await report()).monitors.map(({ monitorId }) => monitorId)).not.toContain(foreign.id);
    for (const monitorId of [foreign.id, 'key:foreign']) {
      const answer = await api.get(`${REPORT}?monitorId=${monitorId}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'monitorId' }] } });
    }
  });

  it('includes at most 1,000 monitors', async () => {
    const { theirs } = app.teams;
    await app.query(
      `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
         recovery_threshold, locations, quorum, tags, metadata, paused_at)
       SELECT gen_random_uuid(), $1, 'Many', 'http', '{}', '', 60, 100, 2, 1, '{default}', 'majority',
         CASE WHEN n <= 1000 THEN '{many}'::text[] ELSE '{}' END, '{}', now() FROM generate_series(1, 1001) AS n`,
      [theirs.id],
    );
    const client = app.api(theirs.read);
    const answer = await client.get(REPORT);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'monitorId', code: 'out_of_range' }] } });
    const { body } = await client.get<SlaReportDto>(`${REPORT}?tag=many`);
    expect(body.total.monitorCount).toBe(1_000);
  });
});

describe('an SLA report as CSV', () => {
  it('has one row per monitor and a total, without executable formulas', async () => {
    const { status, headers, body } = await as('text/csv');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [first, last] = [down.firstDayMs, down.secondDayMs].map((ms) => iso(ms).slice(0, 10));
    expect(headers.get('content-disposition')).toBe(`attachment; filename=sla-${first}-${last}.csv`);
    const [header, ...rows] = body.split('\r\n');
    expect(header).toMatch(/^monitorId,key,name,from,to,targetPercent,uptimePercent,/);
    const period = `${iso(down.firstDayMs)},${iso(down.secondDayMs + 86_400_000)},99.9`;
    expect(rows).toEqual([
      `${down.id},down,"'=HYPERLINK(""x"")",${period},97.916,100,172800,3600,1,3600,169200,172.8,3600,-3427.2,20.8334,false`,
      `${up.id},,"Always, up",${period},100,100,172800,0,0,,,172.8,0,172.8,0,true`,
      `,,Total,${period},98.958,100,345600,3600,1,3600,342000,345.6,3600,-3254.4,10.4167,false`,
      '',
    ]);
  });

  it.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
    ['text/csv;q=0.4, application/json;q=0.5', 'application/json'],
    ['text/csv;q=0, application/json', 'application/json'],
    ['text/csv, */*;q=0.1', 'text/csv'],
    ['text/html', 'application/json'],
    ['TEXT/CSV', 'text/csv'],
  ])('is returned according to Accept: %s as %s', async (accept, type) => {
    const { headers } = await as(accept, '');
    expect(headers.get('content-type')?.split(';')[0]).toBe(type);
    expect(headers.get('vary')).toContain('Accept');
  });

  it('reports errors as problems', async () => {
    const { status, headers } = await as('text/csv', 'target=100');
    expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  });
});
