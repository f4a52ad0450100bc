import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type Page } from '../src/http/lists/page.js';
import { type ApiKeyDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { type ExclusionDto } from '../src/modules/exclusions/dto/exclusion.dto.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { drawnTexts } from './support/badges.js';
import { type Client } from './support/client.js';
import { type PastMonitor, pastMonitor } from './support/history.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { rowsOf } from './support/rows.js';

const EXCLUSIONS = '/v1/exclusions';
const iso = (ms: number): string => new Date(ms).toISOString();
const HALF_AN_HOUR = { from: '2026-01-01T12:00:00.000Z', to: '2026-01-01T12:30:00.000Z', reason: 'A load test' };

let app: TestApp;
let api: Client;
let author: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  author = `api-key:${(await api.get<ApiKeyDto>('/v1/api-keys/self')).body.id}`;
});
afterAll(() => app.close());

async function exclude(body: Record<string, unknown>): Promise<ExclusionDto> {
  const { status, headers, body: made } = await api.post<ExclusionDto>(EXCLUSIONS, { ...HALF_AN_HOUR, ...body });
  expect({ status, made }).toMatchObject({ status: 201 });
  expect(headers.get('location')).toBe(`${EXCLUSIONS}/${made.id}`);
  return made;
}

const excludeOutage = ({ id, outage }: PastMonitor, more: Record<string, unknown> = {}): Promise<ExclusionDto> =>
  exclude({ monitorIds: [id], from: iso(outage.from), to: iso(outage.to), ...more });

const remove = async (id: string): Promise<number> => (await api.delete(`${EXCLUSIONS}/${id}`)).status;

async function list(query = ''): Promise<string[]> {
  const { status, body } = await api.get<Page<ExclusionDto>>(`${EXCLUSIONS}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map(({ id }) => id);
}

async function uptimeOf({ id, query }: PastMonitor, more = ''): Promise<Omit<UptimeDto, 'computedAt'>> {
  const { status, body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?${query}${more}`);
  expect(status).toBe(200);
  const { computedAt: _, ...rest } = body;
  return rest;
}

const still = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { paused: true, ...more }))).id;

describe('an exclusion', () => {
  it('immediately affects uptime, days, status page and badge; deleting it restores all of them', async () => {
    const monitor = await pastMonitor(app, api, { name: 'Shop' });
    const page = await api.post<StatusPageDto>('/v1/status-pages', {
      name: 'Shop',
      slug: `shop-${randomUUID()}`,
      historyDays: 3,
      monitorIds: [monitor.id],
    });
    const { slug, components } = page.body;
    const onPage = async () => {
      const { body } = await app.api().get<PublicPageDto>(`/status/${slug}.json`);
      const { uptimePercent, days } = body.components[0]!;
      return { uptimePercent, day: days!.at(-2) };
    };
    const onBadge = async (): Promise<string> =>
      drawnTexts((await app.api().get<string>(`/badges/${slug}/${components[0]!.id}/uptime.svg`)).body).value;

    const before = { uptime: await uptimeOf(monitor), page: await onPage(), badge: await onBadge() };
    expect(before.uptime.days.map(({ status, downSeconds }) => ({ status, downSeconds }))).toEqual([
      { status: 'up', downSeconds: 0 },
      { status: 'down', downSeconds: 3_600 },
    ]);
    // One hour of downtime in two days, truncated.
    expect(before.uptime.uptimePercent).toBe(97.916);
    // Includes the part of yesterday's last slot that extends into today.
    expect(before.page).toMatchObject({
      uptimePercent: expect.closeTo(97.918, 2) as unknown,
      day: { downSeconds: 3_600 },
    });
    expect(before.badge).toMatch(/^97\.9/);

    const exclusion = await excludeOutage(monitor);
    const { uptimePercent, coveragePercent, totals, days } = await uptimeOf(monitor);
    expect({ uptimePercent, coveragePercent }).toEqual({ uptimePercent: 100, coveragePercent: 97.916 });
    expect(totals).toMatchObject({ downSeconds: 0, excludedSeconds: 3_600, incidentCount: 0, longestOutageSeconds: 0 });
    expect(days[1]).toMatchObject({
      status: 'excluded',
      uptimePercent: 100,
      upSeconds: 82_800,
      excludedSeconds: 3_600,
    });
    expect(await onPage()).toMatchObject({ uptimePercent: 100, day: { status: 'excluded', excludedSeconds: 3_600 } });
    expect(await onBadge()).toMatch(/^100/);
    // The counts of checks do not change.
    expect(days.map(({ checksFailed }) => checksFailed)).toEqual([0, 12]);
    expect(await uptimeOf(monitor, '&raw=true')).toEqual(before.uptime);
    expect(await uptimeOf(monitor, '&raw=false')).toEqual(await uptimeOf(monitor));

    expect(await remove(exclusion.id)).toBe(204);
    expect({ uptime: await uptimeOf(monitor), page: await onPage(), badge: await onBadge() }).toEqual(before);
  });

  it('excludes time once even if several overlap, until the last of them is deleted', async () => {
    const monitor = await pastMonitor(app, api);
    const { from, to } = monitor.outage;
    const half = await excludeOutage(monitor, { to: iso(from + 1_800_000) });
    const whole = await excludeOutage(monitor, { from: iso(from - 600_000), to: iso(to + 600_000) });
    const seconds = async (): Promise<number[]> => {
      const { excludedSeconds, downSeconds } = (await uptimeOf(monitor)).totals;
      return [excludedSeconds, downSeconds];
    };
    expect(await seconds()).toEqual([4_800, 0]);
    await remove(whole.id);
    expect(await seconds()).toEqual([1_800, 1_800]);
    await remove(half.id);
    expect(await seconds()).toEqual([0, 3_600]);
  });

  it('affects the monitors that have its tag at its creation, not those that receive the tag later', async () => {
    const tag = randomUUID();
    const [first, second] = await Promise.all([pastMonitor(app, api, { tags: [tag, 'x'] }), pastMonitor(app, api)]);
    const exclusion = await excludeOutage(first, { monitorIds: undefined, tags: [tag, 'nobody has this'] });
    expect(exclusion).toMatchObject({ monitorIds: [], tags: [tag, 'nobody has this'] });
    await api.patch(`/v1/monitors/${second.id}`, { tags: [tag] });
    await api.patch(`/v1/monitors/${first.id}`, { tags: [] });
    expect((await uptimeOf(first)).totals.excludedSeconds).toBe(3_600);
    expect((await uptimeOf(second)).totals.excludedSeconds).toBe(0);
    expect(await list(`?monitorId=${first.id}`)).toEqual([exclusion.id]);
    expect(await list(`?monitorId=${second.id}`)).toEqual([]);
    await remove(exclusion.id);
    expect((await uptimeOf(first)).totals.excludedSeconds).toBe(0);
  });

  it('records who created and deleted it, and remains readable and listed with ?deleted=true', async () => {
    const monitorId = await still({ key: 'audited' });
    const made = await exclude({ monitorIds: ['key:audited'] });
    expect(made).toEqual({
      id: made.id,
      monitorIds: [monitorId],
      tags: [],
      ...HALF_AN_HOUR,
      createdBy: author,
      createdAt: made.createdAt,
      deletedAt: null,
      deletedBy: null,
    });
    expect((await api.get<ExclusionDto>(`${EXCLUSIONS}/${made.id}`)).body).toEqual(made);
    const filter = `monitorId=${monitorId}`;
    expect([await list(`?${filter}`), await list(`?${filter}&deleted=true`)]).toEqual([[made.id], []]);

    expect(await remove(made.id)).toBe(204);
    const { body: gone } = await api.get<ExclusionDto>(`${EXCLUSIONS}/${made.id}`);
    expect(gone).toEqual({ ...made, deletedAt: expect.any(String), deletedBy: author });
    expect([await list(`?${filter}`), await list(`?${filter}&deleted=true`)]).toEqual([[], [made.id]]);
    expect(await remove(made.id)).toBe(404);
    expect((await api.get<ExclusionDto>(`${EXCLUSIONS}/${made.id}`)).body).toEqual(gone);
  });

  it('outlives its monitors', async () => {
    const monitorId = await still();
    const made = await exclude({ monitorIds: [monitorId] });
    expect((await api.delete(`/v1/monitors/${monitorId}`)).status).toBe(204);
    expect((await api.get<ExclusionDto>(`${EXCLUSIONS}/${made.id}`)).body).toEqual(made);
    expect(await list(`?monitorId=${monitorId}`)).toEqual([made.id]);
    expect(await remove(made.id)).toBe(204);
  });

  it('is created once per Idempotency-Key, and deleted once by concurrent requests', async () => {
    const monitorId = await still();
    const options = {
      json: { ...HALF_AN_HOUR, monitorIds: [monitorId] },
      headers: { 'idempotency-key': randomUUID() },
    };
    const [first, again] = [
      await api.call<ExclusionDto>('POST', EXCLUSIONS, options),
      await api.call<ExclusionDto>('POST', EXCLUSIONS, options),
    ];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await list(`?monitorId=${monitorId}`)).toEqual([first.body.id]);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => remove(first.body.id)));
    expect(statuses.sort()).toEqual([204, ...new Array<number>(7).fill(404)]);
  });

  it('can be filtered by monitor and time, and is listed in pages, newest first', async () => {
    const monitorId = await still({ key: 'listed' });
    const made: string[] = [];
    for (const hour of ['10', '12', '14']) {
      const [from, to] = [`2026-01-01T${hour}:00:00.000Z`, `2026-01-01T${hour}:30:00.000Z`];
      made.unshift((await exclude({ monitorIds: [monitorId], from, to })).id);
    }
    const [third, second, first] = made as [string, string, string];
    const at = (hour: string): string => `2026-01-01T${hour}:00.000Z`;
    for (const [query, expected] of [
      ['', made],
      [`&from=${at('12:30')}`, [third]],
      [`&from=${at('12:29')}`, [third, second]],
      [`&to=${at('12:00')}`, [first]],
      [`&to=${at('12:01')}`, [second, first]],
      [`&from=${at('12:29')}&to=${at('12:31')}`, [second]],
    ] as const) {
      expect({ query, found: await list(`?monitorId=key:listed${query}`) }).toEqual({ query, found: expected });
    }
    expect(await list('?monitorId=key:nobody')).toEqual([]);
    const page = await api.get<Page<ExclusionDto>>(`${EXCLUSIONS}?monitorId=key:listed&limit=2`);
    expect(page.body.data.map(({ id }) => id)).toEqual([third, second]);
    expect(await list(`?cursor=${page.body.nextCursor}`)).toEqual([first]);
    expect((await api.get(`${EXCLUSIONS}?cursor=${page.body.nextCursor}&deleted=true`)).status).toBe(400);
  });

  it.each([
    ['no monitor', { monitorIds: [] }, '/monitorIds', 'required'],
    ['an unknown monitor', { monitorIds: ['key:nobody'] }, '/monitorIds/0', 'invalid_value'],
    ['no reason', { reason: undefined }, '/reason', 'required'],
    ['an empty reason', { reason: '' }, '/reason', 'too_short'],
    ['a long reason', { reason: 'x'.repeat(2_001) }, '/reason', 'too_long'],
    ['no start', { from: undefined }, '/from', 'required'],
    ['an end that cannot become a text', { to: { toString: 1 } }, '/to', 'invalid_value'],
    ['an invalid time', { to: 'yesterday' }, '/to', 'invalid_value'],
    ['an end in the future', { to: iso(Date.now() + DAY_MS) }, '/to', 'out_of_range'],
    ['a duration of zero', { from: HALF_AN_HOUR.to }, '/from', 'out_of_range'],
    ['an end before its start', { to: '2025-01-01T00:00:00Z' }, '/from', 'out_of_range'],
    ['more than 366 days', { from: iso(Date.parse(HALF_AN_HOUR.to) - 366 * DAY_MS - 1) }, '/from', 'out_of_range'],
    ['a time before 1900', { from: '1899-12-31T00:00:00Z' }, '/from', 'invalid_value'],
    ['an author', { createdBy: 'somebody' }, '/createdBy', 'read_only_field'],
    ['an unknown field', { key: 'x' }, '/key', 'unknown_field'],
  ])('is rejected with %s', async (_, change, pointer, code) => {
    const body = { ...HALF_AN_HOUR, monitorIds: [await still()], ...change };
    const answer = await api.post(EXCLUSIONS, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });

  it('may be as long as 366 days', async () => {
    await exclude({ monitorIds: [await still()], from: iso(Date.parse(HALF_AN_HOUR.to) - 366 * DAY_MS) });
  });

  it("cannot affect another team's monitors by id, key or tag", async () => {
    const theirs = app.api(app.teams.theirs.write);
    const foreign = await pastMonitor(app, theirs, { key: 'foreign', tags: ['foreign'] });
    const before = await rowsOf(app, app.teams.theirs.id);
    for (const monitorId of [foreign.id, 'key:foreign']) {
      const answer = await api.post(EXCLUSIONS, { ...HALF_AN_HOUR, monitorIds: [await still(), monitorId] });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/monitorIds/1' }] } });
    }
    await excludeOutage(foreign, { monitorIds: undefined, tags: ['foreign'] });
    expect(await rowsOf(app, app.teams.theirs.id)).toEqual(before);
    expect(await list(`?monitorId=${foreign.id}`)).toEqual([]);
  });
});
