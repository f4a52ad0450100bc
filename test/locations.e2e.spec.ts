import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type ResponseTimesDto } from '../src/modules/checks/dto/response-times.dto.js';
import { type ChartTimes } from '../src/modules/checks/response-times.types.js';
import { type EventDto } from '../src/modules/events/dto/event.dto.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { type LocationDto } from '../src/modules/locations/dto/location.dto.js';
import { type KnownLocationsService } from '../src/modules/locations/known-locations.service.js';
import { type MonitorStatesService } from '../src/modules/monitors/state/monitor-states.service.js';
import { type UptimeDto } from '../src/modules/uptime/dto/uptime.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { operationsOf } from './support/documented.js';
import { eventually } from './support/eventually.js';
import { getMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { EAST, TwoLocations, WEST } from './support/two-locations.js';

let app: TestApp;
let api: Client;
let two: TwoLocations;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
  two = await TwoLocations.add(app);
});
afterAll(() => app.close());

/** Creates a monitor that has been down because of one location. Returns when that began, and its length in seconds. */
async function recovered() {
  const id = await two.create({ quorum: 'any' });
  await app.query(`UPDATE monitors SET created_at = now() - interval '1 hour' WHERE id = $1`, [id]);
  const [from] = await two.failInTheEast(id);
  const [to] = await two.record(id, EAST, [[20, 'up']]);
  return { id, from, lasted: (Date.parse(to!) - Date.parse(from!)) / 1_000 };
}

async function downSeconds(id: string, query = ''): Promise<number> {
  return (await api.get<UptimeDto>(`/v1/monitors/${id}/uptime${query}`)).body.totals.downSeconds;
}

describe('locations', () => {
  it('are listed by key, with their workers', async () => {
    const all = await eventually(async () => {
      const { status, body } = await api.get<Page<LocationDto>>('/v1/locations?limit=200');
      expect(status).toBe(200);
      expect(body.data.find(({ key }) => key === 'default')).toMatchObject({ status: 'ok' });
      return body.data;
    });
    expect(all.map(({ key }) => key)).toEqual([...all.map(({ key }) => key)].sort());
    const [first] = all.filter(({ key }) => key === 'default');
    expect(first).toMatchObject({
      ...{ default: true, enabled: true, country: null, coordinates: null, canaryTargets: [], degradedAfterMs: null },
      workers: expect.arrayContaining([expect.objectContaining({ version: expect.any(String) })]),
    });
    expect(all.find(({ key }) => key === EAST)).toMatchObject({
      ...{ default: false, workers: [], status: 'offline', lagMs: 0, checksPerSecond: 0 },
    });
  });

  it('are found by id and by key', async () => {
    const byKey = await api.get<LocationDto>(`/v1/locations/key:${EAST}`);
    expect(byKey).toMatchObject({ status: 200, body: { key: EAST } });
    expect(await api.get(`/v1/locations/${byKey.body.id}`)).toMatchObject({ status: 200, body: { key: EAST } });
    for (const address of ['key:nowhere', 'default', '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c81']) {
      expect(await api.get(`/v1/locations/${address}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('must exist to be used by a monitor', async () => {
    const made = await api.post('/v1/monitors', httpMonitor('http://127.0.0.1:9/', { locations: ['nowhere'] }));
    expect(made).toMatchObject({ status: 422, body: { errors: [{ pointer: '/locations/0', code: 'invalid_value' }] } });
  });
});

describe('a monitor with several locations', () => {
  it('is degraded while fewer of them are down than the quorum needs, and then down', async () => {
    const id = await two.create();
    await two.failInTheEast(id);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'degraded', partialOutageLocations: [EAST] });
    await two.record(id, WEST, [
      [20, 'down'],
      [19, 'down'],
    ]);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'down', partialOutageLocations: [] });
    await two.record(id, EAST, [[10, 'up']]);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'degraded', partialOutageLocations: [WEST] });
    await two.record(id, WEST, [[9, 'up']]);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'up', partialOutageLocations: [] });
  });

  it('needs twice as many failures while only one of them has recent results', async () => {
    const id = await two.create();
    const failures = [40, 39, 38, 37].map((secondsAgo) => [secondsAgo, 'down'] as const);
    await two.record(id, EAST, failures.slice(0, 2));
    expect(await getMonitor(api, id)).toMatchObject({ status: 'pending' });
    await two.record(id, EAST, failures.slice(2, 3));
    expect(await getMonitor(api, id)).toMatchObject({ status: 'pending' });
    await two.record(id, EAST, failures.slice(3));
    expect(await getMonitor(api, id)).toMatchObject({ status: 'down' });
  });

  it('has its outage although all of its results were recorded late, because the database was away', async () => {
    const id = await two.create();
    await two.recordTogether(id, [[3_000, 'up']]);
    await two.recordTogether(id, [
      [2_700, 'up'],
      [2_400, 'down'],
      [2_100, 'down'],
      [1_800, 'up'],
    ]);
    const { body } = await api.get<Page<{ to: string }>>(`/v1/monitors/${id}/transitions?location=${EAST}`);
    expect(body.data.map(({ to }) => to)).toEqual(['up', 'down', 'up']);
  });

  it('needs twice as many failures from a location that was the only one, although the other is back', async () => {
    const id = await two.create();
    await two.recordTogether(id, [[6_000, 'up']]);
    await two.recordTogether(id, [
      [3_000, 'down', EAST],
      [2_700, 'down', EAST],
      [2_400, 'down', EAST],
      [300, 'up'],
    ]);
    const { body } = await api.get<Page<{ to: string }>>(`/v1/monitors/${id}/transitions?location=${EAST}`);
    expect(body.data.map(({ to }) => to)).toEqual(['up']);
  });

  it('accepts no results from other locations', async () => {
    const id = await two.create();
    await two.record(id, 'default', [[30, 'down']]);
    expect(await listChecks(api, id)).toEqual([]);
    await two.record(id, EAST, [[20, 'up']]);
    expect(await listChecks(api, id)).toMatchObject([{ location: EAST, status: 'up' }]);
  });

  it('is judged by the others while one is disabled', async () => {
    const id = await two.create();
    await two.failInTheEast(id);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'degraded' });
    await app.query('UPDATE locations SET enabled = false WHERE key = $1', [EAST]);
    try {
      await eventually(async () => {
        await two.record(id, WEST, [[Math.random(), 'up']]);
        expect(await getMonitor(api, id)).toMatchObject({ status: 'up' });
      });
      const asked = await api.post(`/v1/monitors/${id}/checks?location=${EAST}`);
      expect(asked).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      const path = '/v1/monitors/{id}/checks';
      const { responses } = operationsOf(app.document).find((one) => one.method === 'POST' && one.path === path)!;
      expect(responses[503]!.content!['application/problem+json']!.examples).toHaveProperty('unavailable');
    } finally {
      await app.query('UPDATE locations SET enabled = true WHERE key = $1', [EAST]);
    }
  });

  it('is checked on request where there is a worker', async () => {
    const id = await two.create();
    const check = (place: string) => api.post<{ location: string }>(`/v1/monitors/${id}/checks${place}`);
    await app.query('UPDATE locations SET offline_since = now() WHERE key = $1', [EAST]);
    try {
      await eventually(async () => {
        const refused = { status: 503, body: { detail: `No worker at the location ${EAST} responds.` } };
        expect(await check(`?location=${EAST}`)).toMatchObject(refused);
      });
      expect(await check('')).toMatchObject({ status: 202, body: { location: WEST } });
      const path = `/monitors/${await two.create({ locations: [EAST] })}`;
      const browser = await signedIn(app, 'editor');
      await browser.open(path);
      const { status, html } = await browser.submit(`${path}/checks`);
      expect({ status, html }).toEqual({
        status: 503,
        html: expect.stringContaining(`No worker at the location ${EAST} responds.`),
      });
    } finally {
      await app.query('UPDATE locations SET offline_since = NULL WHERE key = $1', [EAST]);
    }
    await eventually(async () => expect((await check(`?location=${EAST}`)).status).toBe(202));
  });

  it('has no requested checks left at a location from which it is no longer checked', async () => {
    const id = await two.create();
    expect(await api.patch(`/v1/monitors/${id}`, { locations: [WEST] })).toMatchObject({ status: 200 });
    const left = await app.query('SELECT location FROM check_requests WHERE monitor_id = $1', [id]);
    expect(left).toEqual([{ location: WEST }]);
  });

  it('keeps the history of a location from which it is no longer checked', async () => {
    const { id, lasted } = await recovered();
    expect(await downSeconds(id)).toBeCloseTo(lasted, 2);
    expect(await api.patch(`/v1/monitors/${id}`, { locations: [WEST] })).toMatchObject({ status: 200 });
    expect(await downSeconds(id)).toBeCloseTo(lasted, 2);
  });

  it('keeps the outages that it had by its former quorum, and has none of before by its new one', async () => {
    const { id, from, lasted } = await recovered();
    const incidents = async () => (await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents`)).body.data;
    expect(await downSeconds(id)).toBeCloseTo(lasted, 2);
    expect(await api.patch(`/v1/monitors/${id}`, { quorum: 'all' })).toMatchObject({ status: 200 });
    const [again] = await two.record(id, EAST, [
      [0, 'down'],
      [0, 'down'],
    ]);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'degraded' });
    expect(await downSeconds(id)).toBeCloseTo(lasted, 2);
    expect(await incidents()).toMatchObject([{ status: 'resolved', startedAt: from }]);
    expect(await api.patch(`/v1/monitors/${id}`, { quorum: 'any' })).toMatchObject({ body: { status: 'down' } });
    await eventually(async () => {
      const open = (await incidents()).filter(({ status }) => status === 'open');
      expect(open.map(({ startedAt }) => Date.parse(startedAt) > Date.parse(again!))).toEqual([true]);
    });
  });

  it('is not looked at again and again because its former location has no recent result', async () => {
    const id = await two.create({ locations: [EAST], intervalSeconds: 60 });
    const stale = () =>
      app.backstage.inTransaction<MonitorStatesService>('MonitorStatesService').stale(Date.now(), 1_000);
    await two.record(id, EAST, [[7_200, 'up']]);
    await app.query(`UPDATE monitor_states SET status = 'pending' WHERE monitor_id = $1`, [id]);
    expect(await stale()).toContain(id);
    await app.query(`UPDATE monitors SET locations = ARRAY[$2] WHERE id = $1`, [id, WEST]);
    expect(await stale()).not.toContain(id);
  });

  it.each([
    ['whatever the former one said last', false],
    ['although the last state of the former one never expires', true],
  ])('is down as soon as its new location says so, %s', async (_, isEndless) => {
    const id = await two.create({ locations: [EAST], intervalSeconds: 3_600 });
    await app.query(`UPDATE monitors SET created_at = now() - interval '1 day' WHERE id = $1`, [id]);
    await app.query(`UPDATE monitor_schedules SET from_at = now() - interval '1 day' WHERE monitor_id = $1`, [id]);
    await two.record(id, EAST, [[1_200, 'up']]);
    if (isEndless) {
      await app.query('UPDATE location_states SET holds_until = NULL, missing_from = NULL WHERE monitor_id = $1', [id]);
    }
    expect(await api.patch(`/v1/monitors/${id}`, { locations: [WEST] })).toMatchObject({ status: 200 });
    // It was removed ten minutes ago.
    await app.query(
      `UPDATE monitor_schedules SET from_at = now() - interval '10 minutes'
       WHERE monitor_id = $1 AND locations = ARRAY[$2]`,
      [id, WEST],
    );
    await two.record(id, WEST, [
      [300, 'down'],
      [240, 'down'],
    ]);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'down' });
    expect(await downSeconds(id, '?days=2')).toBeGreaterThanOrEqual(300);
    await eventually(async () => {
      const { body } = await api.get<Page<unknown>>(`/v1/incidents?monitorId=${id}`);
      expect(body.data).toMatchObject([{ status: 'open' }]);
    });
    expect(await api.patch(`/v1/monitors/${id}`, { intervalSeconds: 86_400 })).toMatchObject({ status: 200 });
    expect(await downSeconds(id, '?days=2')).toBeGreaterThanOrEqual(300);
  });
});

describe('figures by location', () => {
  it('count what one location found out', async () => {
    const id = await two.create({ quorum: 'all' });
    await app.query(`UPDATE monitors SET created_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    const [from] = await two.failInTheEast(id);
    const [to] = await two.record(id, EAST, [[20, 'up']]);
    const lasted = Math.round((Date.parse(to!) - Date.parse(from!)) / 1_000);
    const uptime = async (query: string) => {
      const { body } = await api.get<UptimeDto>(`/v1/monitors/${id}/uptime?days=1&fidelity=true${query}`);
      const [day] = body.days;
      return [Math.round(body.totals.downSeconds), Math.round(body.totals.degradedSeconds), day!.checksTotal];
    };
    expect(await uptime('')).toEqual([0, lasted, 4]);
    expect(await uptime(`&location=${EAST}`)).toEqual([lasted, 0, 3]);
    expect(await uptime(`&location=${WEST}`)).toEqual([0, 0, 1]);
    const transitions = await api.get<Page<unknown>>(`/v1/monitors/${id}/transitions?location=${WEST}`);
    expect(transitions.body.data).toMatchObject([{ location: WEST, to: 'up' }]);
    const wrong = await api.get(`/v1/monitors/${id}/uptime?location=nowhere`);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ parameter: 'location', code: 'invalid_value' }] } });
  });
});

describe('response times', () => {
  it('are compared by location, and those of one location have their phases', async () => {
    const id = await two.create();
    await two.record(id, EAST, [[200, 'up']]);
    await two.record(id, WEST, [[100, 'up']]);
    const browser = await signedIn(app, 'viewer');
    const timesOf = async (query: string): Promise<ChartTimes> =>
      (await browser.call('GET', `/monitors/${id}/response-times.json?range=24h${query}`)).json() as never;
    const counted = ({ steps }: ChartTimes): number => steps.reduce((sum, { count }) => sum + count, 0);
    const all = await timesOf('');
    expect(counted(all)).toBe(2);
    expect(all.locations.map(({ key, name }) => [key, name])).toEqual([
      [EAST, EAST],
      [WEST, WEST],
    ]);
    for (const { p50Ms } of all.locations) {
      expect(p50Ms).toHaveLength(all.steps.length);
      expect(p50Ms.filter((ms) => ms !== null)).toEqual([20]);
    }
    const east = await timesOf(`&location=${EAST}`);
    expect([counted(east), east.locations]).toEqual([1, []]);
    const countOf = async (query: string) => {
      const { body } = await api.get<ResponseTimesDto>(`/v1/monitors/${id}/response-times?points=1${query}`);
      return body.buckets[0]!.checkCount;
    };
    expect([await countOf(''), await countOf(`&location=${WEST}`)]).toEqual([2, 1]);
    expect((await browser.open(`/monitors/${id}/response-times?range=24h`)).html).toMatch(/p50 east.*p50 west/s);
    expect((await browser.open(`/monitors/${id}/response-times?location=${EAST}`)).html).toContain('p95');
    expect((await browser.open(`/monitors/${id}/response-times?location=nowhere`)).status).toBe(400);
    expect((await browser.open(`/monitors/${id}?location=${WEST}`)).html).toContain(
      `data-chart="/monitors/${id}/response-times.json?range=24h&amp;location=${WEST}"`,
    );
  });
});

describe('a location whose results contradict those of another', () => {
  it('loses its vote until it agrees again, which its teams learn from events', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) ids.push(await two.create({ quorum: 'any' }));
    await Promise.all(ids.map((id) => two.failInTheEast(id)));
    await eventually(async () => expect(await reasons('checking.interrupted')).toContain('disagrees'));
    await eventually(async () => {
      for (const id of ids) await two.record(id, WEST, [[Math.random(), 'up']]);
      for (const id of ids) expect(await getMonitor(api, id)).toMatchObject({ status: 'up' });
    });
    for (const id of ids) await two.record(id, EAST, [[0, 'up']]);
    await eventually(async () => expect(await reasons('checking.resumed')).toContain('disagrees'));
  });

  it('opens no incident for a monitor that it alone checks until a check fails with its vote', async () => {
    // The locations agree about those of other tests.
    await app.query('DELETE FROM monitors');
    const [failing, recovering] = [await two.create({ locations: [EAST] }), await two.create({ locations: [EAST] })];
    for (const id of [failing, recovering]) {
      await two.record(id, EAST, [[50, 'up']]);
      await two.record(id, EAST, [[20, 'down']]);
    }
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) ids.push(await two.create({ quorum: 'any' }));
    await Promise.all(ids.map((id) => two.failInTheEast(id)));
    await untilVote(EAST, false);
    const incidents = async (id: string): Promise<IncidentDto[]> => {
      return (await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents`)).body.data;
    };
    const confirmedAt: string[] = [];
    for (const id of [recovering, failing]) {
      confirmedAt.push(...(await two.record(id, EAST, [[0, 'down']])));
      expect(await getMonitor(api, id)).toMatchObject({ status: 'unknown' });
      expect(await incidents(id)).toEqual([]);
    }
    for (const id of ids) await two.record(id, EAST, [[0, 'up']]);
    await untilVote(EAST, true);
    await two.record(failing, EAST, [[0, 'down']]);
    await two.record(recovering, EAST, [[0, 'up']]);
    expect(await getMonitor(api, failing)).toMatchObject({ status: 'down' });
    const [incident] = await eventually(async () => {
      const found = await incidents(failing);
      expect(found).toMatchObject([{ status: 'open', cause: { errorCode: 'connect_refused' } }]);
      return found;
    });
    expect(Date.parse(incident!.startedAt)).toBeGreaterThan(Date.parse(confirmedAt.at(-1)!));
    expect(await getMonitor(api, recovering)).toMatchObject({ status: 'up' });
    expect(await incidents(recovering)).toEqual([]);
    expect(await downSeconds(recovering)).toBe(0);
  });

  it('gets its vote back when no other location has recent results any more', async () => {
    // The locations agree about those of other tests.
    await app.query('DELETE FROM monitors');
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) ids.push(await two.create({ quorum: 'any' }));
    await Promise.all(ids.map((id) => two.failInTheEast(id)));
    await untilVote(EAST, false);
    await app.query('UPDATE locations SET enabled = false WHERE key = $1', [WEST]);
    try {
      await untilVote(EAST, true);
    } finally {
      await app.query('UPDATE locations SET enabled = true WHERE key = $1', [WEST]);
    }
  });

  it('is reported if it has no worker', async () => {
    await two.create();
    await eventually(async () => expect(await reasons('checking.interrupted')).toContain('no_worker'));
  });
});

describe('the pages of a monitor with several locations', () => {
  it('compare the locations, and change them', async () => {
    const id = await two.create();
    await two.record(id, EAST, [[20, 'down']]);
    await two.record(id, EAST, [[19, 'down']]);
    await two.record(id, WEST, [[18, 'up']]);
    const browser = await signedIn(app, 'editor');
    const { html } = await browser.open(`/monitors/${id}`);
    expect(html).toMatch(/id="locations".*east.*west.*20 ms/s);
    await browser.open(`/monitors/${id}/edit`);
    const saved = await browser.submit(`/monitors/${id}/edit`, { locations: `${WEST}, default`, quorum: '2' });
    expect(saved.path).toBe(`/monitors/${id}?done=saved`);
    expect(await getMonitor(api, id)).toMatchObject({ locations: [WEST, 'default'], quorum: 2 });
    await browser.open(`/monitors/${id}/edit`);
    const refused = await browser.submit(`/monitors/${id}/edit`, { locations: 'nowhere' });
    expect(refused.html).toContain('There is no such location.');
    // Nothing that was entered is lost if no worker can run the check.
    const tested = await browser.submit(
      `/monitors/${id}/edit`,
      { name: 'Kept', locations: EAST, quorum: 'majority' },
      `/monitors/${id}/test`,
    );
    expect(tested.status).toBe(503);
    expect(tested.headers.get('retry-after')).toBe('5');
    expect(tested.html).toContain('There is a problem');
    expect(tested.html).toContain('value="Kept"');
  });
});

/** Waits until a location has a vote, or none, and the service knows. */
async function untilVote(location: string, hasVote: boolean): Promise<void> {
  await eventually(async () => {
    const [row] = await app.query<{ has: boolean }>(
      'SELECT voteless_since IS NULL AS has FROM locations WHERE key = $1',
      [location],
    );
    expect(row!.has).toBe(hasVote);
  });
  await app.backstage.provider<KnownLocationsService>('KnownLocationsService').refresh();
}

/** Returns why checks from EAST were interrupted or resumed, according to events of this type. */
async function reasons(type: string): Promise<unknown[]> {
  const { body } = await api.get<Page<EventDto>>(`/v1/events?resourceType=location&type=${type}&limit=200`);
  return body.data.filter(({ resource }) => resource.id === EAST).map(({ data }) => data.reason);
}
