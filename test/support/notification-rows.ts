import { type NotificationPolicyDto } from '../../src/modules/notification-policies/dto/notification-policy.dto.js';
import { type SilenceDto } from '../../src/modules/notification-policies/dto/silence.dto.js';
import { type TestTeam } from './app.js';
import { putChannel } from './channels.js';
import { reportIncident } from './incidents.js';
import { createMonitor, httpMonitor } from './monitors.js';
import { waitingNotification } from './notifications.js';
import { type RouteRow, type Setting } from './route-row.js';

const POLICIES = '/v1/notification-policies';
const SILENCES = '/v1/silences';
const NOTIFICATIONS = '/v1/notifications';
const BODY = { name: 'A policy', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: ['key:ops'] }] };
const SILENCE = { match: { tags: ['a-tag-of-the-table'] }, durationSeconds: 600, reason: 'A row' };
const PREVIEWED = 'previewed-in-the-table';

async function channel({ app }: Setting, team: TestTeam): Promise<void> {
  await putChannel(app.api(team.write), 'ops');
}

async function policy(setting: Setting, team: TestTeam): Promise<Record<string, string>> {
  await channel(setting, team);
  const { app } = setting;
  const { body } = await app.api(team.write).post<NotificationPolicyDto>(POLICIES, BODY);
  return { id: body.id };
}

async function silence({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app.api(team.write).post<SilenceDto>(SILENCES, SILENCE);
  return { id: body.id };
}

async function monitor({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  return { id: (await createMonitor(app.api(team.write), httpMonitor(target.url('/routes'), { paused: true }))).id };
}

async function previewed({ app, target }: Setting, team: TestTeam): Promise<void> {
  const definition = httpMonitor(target.url('/routes'), { paused: true });
  await app.api(team.write).put(`/v1/monitors/key:${PREVIEWED}`, definition);
}

async function notification({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  return { id: (await waitingNotification(app.api(team.write))).id };
}

async function incident({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const api = app.api(team.write);
  const { id } = await createMonitor(api, httpMonitor(target.url('/routes'), { paused: true }));
  return { id: (await reportIncident(api, [id])).id };
}

const item = { path: `${POLICIES}/:id`, arrange: policy } as const;
const read = { method: 'GET', scope: 'read', success: 200 } as const;
const write = { scope: 'write', success: 200 } as const;
const UNKNOWN_PARAMETER = { status: 400, query: '?nothing=1' } as const;
const NO_STEPS = { status: 422, body: { ...BODY, steps: [] } } as const;

/** The routes of notification policies, silences and notifications. */
export const NOTIFICATION_ROWS: readonly RouteRow[] = [
  { ...read, path: POLICIES, bad: { status: 400, query: '?enabled=perhaps' } },
  { ...write, method: 'POST', path: POLICIES, success: 201, prepare: channel, body: BODY, bad: NO_STEPS },
  {
    ...write,
    method: 'POST',
    path: `${POLICIES}/preview`,
    scope: 'read',
    prepare: previewed,
    body: { monitorId: `key:${PREVIEWED}` },
    bad: { status: 422, body: {} },
  },
  {
    ...write,
    method: 'POST',
    path: `${POLICIES}/backtest`,
    scope: 'read',
    body: { timezone: 'Europe/Berlin' },
    bad: { status: 422, body: { timezone: 'Atlantis' } },
  },
  { ...read, ...item, bad: UNKNOWN_PARAMETER },
  { ...item, ...write, method: 'PUT', makes: true, prepare: channel, body: BODY, bad: NO_STEPS },
  { ...item, ...write, method: 'PATCH', body: { name: 'Renamed' }, bad: { status: 422, body: { name: 5 } } },
  { ...item, ...write, method: 'DELETE', success: 204, bad: UNKNOWN_PARAMETER },
  { ...read, path: '/v1/monitors/:id/notification-policies', arrange: monitor, bad: UNKNOWN_PARAMETER },
  { ...read, path: SILENCES, bad: { status: 400, query: '?limit=0' } },
  {
    ...write,
    method: 'POST',
    path: SILENCES,
    success: 201,
    body: SILENCE,
    bad: { status: 422, body: { ...SILENCE, durationSeconds: 604_801 } },
  },
  { ...read, path: `${SILENCES}/:id`, arrange: silence, bad: UNKNOWN_PARAMETER },
  { ...write, method: 'DELETE', path: `${SILENCES}/:id`, success: 204, arrange: silence, bad: UNKNOWN_PARAMETER },
  { ...read, path: NOTIFICATIONS, bad: { status: 400, query: '?status=perhaps' } },
  { ...read, path: `${NOTIFICATIONS}/:id`, arrange: notification, bad: UNKNOWN_PARAMETER },
  { ...write, method: 'POST', path: `${NOTIFICATIONS}/:id/retry`, arrange: notification, bad: UNKNOWN_PARAMETER },
  { ...read, path: '/v1/incidents/:id/notifications', arrange: incident, bad: { status: 400, query: '?limit=0' } },
];
