import { randomUUID } from 'node:crypto';
import { type ApiKeyDto } from '../../src/modules/api-keys/dto/api-key.dto.js';
import { type LocationDto } from '../../src/modules/locations/dto/location.dto.js';
import { type PingKeyDto } from '../../src/modules/heartbeats/ping-keys/dto/ping-key.dto.js';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { type SubscriberDto } from '../../src/modules/status-pages/subscribers/dto/subscriber.dto.js';
import { type TestTeam } from './app.js';
import { AUDIT_ROWS } from './audit-rows.js';
import { CHANNEL_ROWS } from './channel-rows.js';
import { EVENT_ROWS } from './event-rows.js';
import { INCIDENT_ROWS } from './incident-rows.js';
import { MAINTENANCE_ROWS } from './maintenance-rows.js';
import { checkNow, createMonitor, httpMonitor } from './monitors.js';
import { NOTIFICATION_ROWS } from './notification-rows.js';
import { OPERATION_ROWS } from './operation-rows.js';
import { type RouteRow, type Setting } from './route-row.js';

/** Creates a paused monitor, so that nothing about it changes by itself. */
async function monitor({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const definition = httpMonitor(target.url('/routes'), { name: 'A row', paused: true });
  return { id: (await createMonitor(app.api(team.write), definition)).id };
}

async function heartbeat({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const definition = { name: 'A job', type: 'heartbeat', settings: { schedule: { everySeconds: 86_400 } } };
  return { id: (await createMonitor(app.api(team.write), definition)).id };
}

async function check(setting: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { id = '' } = await monitor(setting, team);
  return { id, checkId: (await checkNow(setting.app.api(team.write), id)).id };
}

async function statusPage({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app
    .api(team.write)
    .post<StatusPageDto>('/v1/status-pages', { name: 'A page', slug: `page-${randomUUID()}` });
  return { id: body.id };
}

async function subscriber(setting: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { id = '' } = await statusPage(setting, team);
  const body = { email: `${randomUUID()}@example.com`, consentSource: 'A test' };
  const answer = await setting.app.api(team.admin).post<SubscriberDto>(`/v1/status-pages/${id}/subscribers`, body);
  return { id, subscriberId: answer.body.id };
}

async function location({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app.api(team.read).get<LocationDto>(`${LOCATIONS}/key:default`);
  return { id: body.id };
}

async function apiKey({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app.api(team.admin).post<ApiKeyDto>('/v1/api-keys', { name: 'A key', scopes: ['read'] });
  return { id: body.id };
}

async function pingKey({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app.api(team.write).post<PingKeyDto>(PING_KEYS, { name: 'A key' });
  return { id: body.id };
}

const UNKNOWN_PARAMETER = { status: 400, query: '?nothing=1' } as const;
const BAD_LIMIT = { status: 400, query: '?limit=0' } as const;
const BAD_NAME = { status: 422, body: { name: 5 } } as const;
const BAD_OVERLAP = { status: 422, body: { overlapSeconds: 604_801 } } as const;

const read = { method: 'GET', scope: 'read', success: 200 } as const;
const write = { method: 'POST', scope: 'write', success: 200 } as const;
const patch = { method: 'PATCH', scope: 'write', success: 200, body: { name: 'Renamed' }, bad: BAD_NAME } as const;
const put = { method: 'PUT', scope: 'write', success: 200, makes: true } as const;
const remove = { method: 'DELETE', scope: 'write', success: 204, bad: UNKNOWN_PARAMETER } as const;

const MONITORS = '/v1/monitors';
const PAGES = '/v1/status-pages';
const KEYS = '/v1/api-keys';
const PING_KEYS = '/v1/ping-keys';
const LOCATIONS = '/v1/locations';

/** Every route under `/v1`. The suite fails if the router has one more or one fewer. */
export const ROUTE_ROWS: readonly RouteRow[] = [
  { ...read, path: MONITORS, bad: BAD_LIMIT },
  {
    ...write,
    path: `${MONITORS}/test`,
    body: httpMonitor('http://127.0.0.1:9/'),
    bad: { status: 422, body: { type: 'http' } },
  },
  {
    ...write,
    path: MONITORS,
    success: 201,
    body: httpMonitor('http://127.0.0.1:9/', { paused: true }),
    bad: { status: 422, body: { type: 'http' } },
  },
  { ...read, path: `${MONITORS}/:id`, arrange: monitor, bad: UNKNOWN_PARAMETER },
  {
    ...put,
    path: `${MONITORS}/:id`,
    arrange: monitor,
    body: httpMonitor('http://127.0.0.1:9/', { paused: true }),
    bad: { status: 422, body: { type: 'http' } },
  },
  { ...patch, path: `${MONITORS}/:id`, arrange: monitor },
  { ...remove, path: `${MONITORS}/:id`, arrange: monitor },
  {
    ...write,
    path: `${MONITORS}/:id/pause`,
    arrange: monitor,
    body: { durationSeconds: 600 },
    bad: { status: 422, body: { durationSeconds: 0 } },
  },
  { ...write, path: `${MONITORS}/:id/resume`, arrange: monitor, bad: UNKNOWN_PARAMETER },
  { ...write, path: `${MONITORS}/:id/rotate-token`, arrange: heartbeat, bad: UNKNOWN_PARAMETER },
  { ...read, path: `${MONITORS}/:id/definition`, arrange: monitor, bad: UNKNOWN_PARAMETER },
  { ...read, path: '/v1/definitions/monitors', bad: BAD_LIMIT },
  { ...read, path: `${MONITORS}/:id/checks`, arrange: monitor, bad: BAD_LIMIT },
  {
    ...write,
    path: `${MONITORS}/:id/checks`,
    arrange: monitor,
    success: 202,
    bad: { status: 400, query: '?wait=perhaps' },
  },
  { ...read, path: `${MONITORS}/:id/checks/:checkId`, arrange: check, bad: UNKNOWN_PARAMETER },
  { ...read, path: `${MONITORS}/:id/response-times`, arrange: monitor, bad: { status: 400, query: '?points=0' } },
  { ...read, path: `${MONITORS}/:id/uptime`, arrange: monitor, bad: { status: 400, query: '?days=366' } },
  { ...read, path: `${MONITORS}/:id/transitions`, arrange: monitor, bad: BAD_LIMIT },

  { ...read, path: LOCATIONS, bad: BAD_LIMIT },
  { ...read, path: `${LOCATIONS}/:id`, arrange: location, ofAllTeams: true, bad: UNKNOWN_PARAMETER },

  { ...read, path: PING_KEYS, bad: BAD_LIMIT },
  { ...write, path: PING_KEYS, body: { name: 'A row' }, success: 201, bad: BAD_NAME },
  { ...read, path: `${PING_KEYS}/:id`, arrange: pingKey, bad: UNKNOWN_PARAMETER },
  { ...remove, path: `${PING_KEYS}/:id`, arrange: pingKey, bad: UNKNOWN_PARAMETER },
  ...EVENT_ROWS,
  ...OPERATION_ROWS,
  ...INCIDENT_ROWS,
  ...AUDIT_ROWS,

  { ...read, path: PAGES, bad: BAD_LIMIT },
  {
    ...write,
    path: PAGES,
    success: 201,
    body: { name: 'A page', slug: 'a-page-of-the-table' },
    bad: { status: 422, body: { name: 'No slug' } },
  },
  { ...read, path: `${PAGES}/:id`, arrange: statusPage, bad: UNKNOWN_PARAMETER },
  { ...read, path: `${PAGES}/:id/definition`, arrange: statusPage, bad: UNKNOWN_PARAMETER },
  { ...read, path: '/v1/definitions/status-pages', bad: BAD_LIMIT },
  {
    ...put,
    path: `${PAGES}/:id`,
    arrange: statusPage,
    body: { name: 'A page', slug: 'a-page-put' },
    bad: { status: 422, body: { name: 'No slug' } },
  },
  { ...patch, path: `${PAGES}/:id`, arrange: statusPage },
  { ...remove, path: `${PAGES}/:id`, arrange: statusPage },

  { ...read, path: `${PAGES}/:id/subscribers`, scope: 'admin', arrange: statusPage, bad: BAD_LIMIT },
  {
    ...write,
    path: `${PAGES}/:id/subscribers`,
    scope: 'admin',
    success: 201,
    arrange: statusPage,
    body: { email: 'jo@example.com', consentSource: 'A test' },
    bad: { status: 422, body: { email: 'jo', consentSource: 'A test' } },
  },
  {
    ...write,
    path: `${PAGES}/:id/subscribers/import`,
    scope: 'admin',
    arrange: statusPage,
    body: { consentSource: 'A test', csv: 'jo@example.com' },
    bad: { status: 422, body: { csv: 'jo@example.com' } },
  },
  {
    ...read,
    path: `${PAGES}/:id/subscribers/:subscriberId`,
    scope: 'admin',
    arrange: subscriber,
    bad: UNKNOWN_PARAMETER,
  },
  { ...remove, path: `${PAGES}/:id/subscribers/:subscriberId`, scope: 'admin', arrange: subscriber },

  ...MAINTENANCE_ROWS,
  ...CHANNEL_ROWS,
  ...NOTIFICATION_ROWS,

  { ...read, path: KEYS, scope: 'admin', bad: BAD_LIMIT },
  {
    ...write,
    path: KEYS,
    scope: 'admin',
    success: 201,
    body: { name: 'A key', scopes: ['read'] },
    bad: { status: 422, body: { name: 'A key', scopes: [] } },
  },
  { ...read, path: `${KEYS}/self`, bad: UNKNOWN_PARAMETER },
  // With an overlap, so that the calling key stays usable.
  { ...write, path: `${KEYS}/self/rotate`, body: { overlapSeconds: 600 }, bad: BAD_OVERLAP },
  { ...read, path: `${KEYS}/:id`, scope: 'admin', arrange: apiKey, bad: UNKNOWN_PARAMETER },
  { ...patch, path: `${KEYS}/:id`, scope: 'admin', arrange: apiKey },
  { ...remove, path: `${KEYS}/:id`, scope: 'admin', arrange: apiKey },
  { ...write, path: `${KEYS}/:id/rotate`, scope: 'admin', arrange: apiKey, bad: BAD_OVERLAP },
];
