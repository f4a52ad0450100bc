import { expect } from '@jest/globals';
import { type IncidentDto } from '../../src/modules/incidents/dto/incident.dto.js';
import { type TestTeam } from './app.js';
import { createMonitor, httpMonitor } from './monitors.js';
import { type RouteRow, type Setting } from './route-row.js';

const INCIDENTS = '/v1/incidents';

/** Creates a manual incident of a paused monitor, so that nothing about it changes by itself. */
async function incident({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const api = app.api(team.write);
  const { id: monitorId } = await createMonitor(api, httpMonitor(target.url('/routes'), { paused: true }));
  const { body } = await api.post<IncidentDto>(INCIDENTS, { title: 'An incident', monitorIds: [monitorId] });
  return { id: body.id };
}

async function monitor({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const definition = httpMonitor(target.url('/routes'), { paused: true });
  return { id: (await createMonitor(app.api(team.write), definition)).id };
}

async function namedMonitor({ app, target }: Setting, team: TestTeam): Promise<void> {
  const definition = httpMonitor(target.url('/routes'), { paused: true });
  expect((await app.api(team.write).put('/v1/monitors/key:incident-row', definition)).status).toBe(201);
}

const read = { method: 'GET', scope: 'read', success: 200 } as const;
const write = { method: 'POST', scope: 'write', success: 200 } as const;

export const INCIDENT_ROWS: readonly RouteRow[] = [
  { ...read, path: INCIDENTS, bad: { status: 400, query: '?limit=0' } },
  {
    ...write,
    path: INCIDENTS,
    success: 201,
    body: { title: 'An incident', monitorIds: ['key:incident-row'] },
    prepare: namedMonitor,
    bad: { status: 422, body: { title: 'No monitor' } },
  },
  { ...read, path: `${INCIDENTS}/:id`, arrange: incident, bad: { status: 400, query: '?nothing=1' } },
  {
    method: 'PATCH',
    path: `${INCIDENTS}/:id`,
    scope: 'write',
    success: 200,
    arrange: incident,
    body: { title: 'Renamed' },
    bad: { status: 422, body: { title: 5 } },
  },
  {
    ...write,
    path: `${INCIDENTS}/:id/acknowledge`,
    arrange: incident,
    body: { note: 'On it.' },
    bad: { status: 422, body: { note: 5 } },
  },
  { ...write, path: `${INCIDENTS}/:id/unacknowledge`, arrange: incident, bad: { status: 422, body: { note: 'x' } } },
  {
    ...write,
    path: `${INCIDENTS}/:id/updates`,
    arrange: incident,
    success: 201,
    body: { text: 'A word.' },
    bad: { status: 422, body: { text: '' } },
  },
  {
    ...write,
    path: '/v1/monitors/:id/drill',
    success: 201,
    arrange: monitor,
    body: { endAfterSeconds: 300 },
    bad: { status: 422, body: { endAfterSeconds: 59 } },
  },
  { ...read, path: '/v1/monitors/:id/incidents', arrange: monitor, bad: { status: 400, query: '?limit=0' } },
];
