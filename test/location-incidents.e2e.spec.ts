import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { signedIn } from './support/people.js';
import { EAST, FAILURES, TwoLocations, WEST } from './support/two-locations.js';

let app: TestApp;
let api: Client;
let two: TwoLocations;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
  two = await TwoLocations.add(app);
});
afterAll(() => app.close());

async function incidentsOf(id: string, query = ''): Promise<IncidentDto[]> {
  const own = await api.get<Page<IncidentDto>>(`/v1/monitors/${id}/incidents${query}`);
  expect(own.status).toBe(200);
  const more = query.replace('?', '&');
  const all = await api.get<Page<IncidentDto>>(`/v1/incidents?monitorId=${id}${more}`);
  expect(all.body.data).toEqual(own.body.data);
  return own.body.data;
}

describe('the incident of a monitor with several locations', () => {
  it('states when each of them was down', async () => {
    const id = await two.create();
    const [eastFailed, eastConfirmed] = await two.failInTheEast(id);
    expect(await incidentsOf(id)).toEqual([]);
    const [westFailed, westConfirmed] = await two.record(id, WEST, [
      [20, 'down'],
      [19, 'down'],
    ]);
    const outages = [
      { location: EAST, name: EAST, startedAt: eastFailed, confirmedAt: eastConfirmed, resolvedAt: null },
      { location: WEST, name: WEST, startedAt: westFailed, confirmedAt: westConfirmed, resolvedAt: null },
    ];
    const [opened] = await incidentsOf(id);
    expect(opened).toMatchObject({ status: 'open', startedAt: westFailed });
    expect(opened!.locations).toEqual(outages);
    const [westPassed] = await two.record(id, WEST, [[10, 'up']]);
    const [eastPassed] = await two.record(id, EAST, [[5, 'up']]);
    const { body: resolved } = await api.get<IncidentDto>(`/v1/incidents/${opened!.id}`);
    expect(resolved.resolvedAt).toBe(westPassed);
    expect(resolved.locations.map((one) => one.resolvedAt)).toEqual([eastPassed, westPassed]);
    const { html } = await (await signedIn(app, 'viewer')).open(`/incidents/${opened!.id}`);
    const told = ['Failure confirmed at east', 'Outage began', 'Failure confirmed at west', 'Recovered at east'];
    expect(html).toMatch(new RegExp(told.join('.*'), 's'));
  });

  it('has no locations if the monitor has only one', async () => {
    const id = await two.create({ locations: [EAST] });
    await two.record(id, EAST, FAILURES);
    const [incident] = await incidentsOf(id);
    expect(incident!.locations).toEqual([]);
    const { html } = await (await signedIn(app, 'viewer')).open(`/incidents/${incident!.id}`);
    expect(html).toContain('First failing check');
    expect(html).not.toContain('Failure confirmed at');
  });
});

describe('?location= of incidents', () => {
  it('selects those during which the location was down', async () => {
    const id = await two.create({ quorum: 'any' });
    await two.failInTheEast(id);
    await two.record(id, EAST, [[20, 'up']]);
    const [incident] = await incidentsOf(id);
    expect(await incidentsOf(id, `?location=${EAST}`)).toEqual([incident]);
    expect(await incidentsOf(id, `?location=${WEST}`)).toEqual([]);
    expect(await incidentsOf(id, '?location=nowhere')).toEqual([]);
  });

  it('finds an incident of a monitor with a single location', async () => {
    const id = await two.create({ locations: [WEST] });
    await two.record(id, WEST, FAILURES);
    expect(await incidentsOf(id, `?location=${WEST}`)).toMatchObject([{ status: 'open' }]);
  });

  it('ignores a location without results since it was down', async () => {
    const id = await two.create({ quorum: 'any' });
    await two.failInTheEast(id);
    await app.query(
      `UPDATE location_states SET missing_from = now() - interval '25 seconds', holds_until = now() - interval '20 seconds'
       WHERE monitor_id = $1 AND location = $2`,
      [id, EAST],
    );
    await two.record(id, WEST, [
      [10, 'down'],
      [9, 'down'],
    ]);
    const [later, earlier] = await incidentsOf(id);
    expect(await incidentsOf(id, `?location=${EAST}`)).toEqual([earlier]);
    expect(await incidentsOf(id, `?location=${WEST}`)).toEqual([later]);
  });

  it('does not select manual incidents, and rejects what is no location', async () => {
    const id = await two.create();
    const made = await api.post('/v1/incidents', { title: 'Slow', monitorIds: [id], impact: 'degraded' });
    expect(made.status).toBe(201);
    expect(await incidentsOf(id, `?location=${EAST}`)).toEqual([]);
    for (const path of ['/v1/incidents', `/v1/monitors/${id}/incidents`]) {
      const refused = await api.get(`${path}?location=${'x'.repeat(51)}`);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ parameter: 'location', code: 'too_long' }] } });
    }
  });
});
