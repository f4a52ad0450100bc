import { type TestTeam } from './app.js';
import { CHANNELS, putChannel } from './channels.js';
import { type RouteRow, type Setting } from './route-row.js';

const BODY = { name: 'A channel', type: 'webhook', settings: { url: 'http://127.0.0.1:9/' } };

async function channel({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  return { id: (await putChannel(app.api(team.write), 'of-the-table')).id };
}

const item = { path: `${CHANNELS}/:id`, arrange: channel } as const;
const read = { method: 'GET', scope: 'read', success: 200 } as const;
const write = { scope: 'write', success: 200 } as const;
const UNKNOWN_PARAMETER = { status: 400, query: '?nothing=1' } as const;
const NO_SETTINGS = { status: 422, body: { name: 'A channel', type: 'webhook' } } as const;

/** The routes of notification channels. */
export const CHANNEL_ROWS: readonly RouteRow[] = [
  { ...read, path: CHANNELS, bad: { status: 400, query: '?type=pigeon' } },
  { ...write, method: 'POST', path: CHANNELS, success: 201, body: BODY, bad: NO_SETTINGS },
  { ...read, ...item, bad: UNKNOWN_PARAMETER },
  { ...item, ...write, method: 'PUT', makes: true, body: BODY, bad: NO_SETTINGS },
  { ...item, ...write, method: 'PATCH', body: { name: 'Renamed' }, bad: { status: 422, body: { name: 5 } } },
  { ...item, ...write, method: 'DELETE', success: 204, bad: UNKNOWN_PARAMETER },
  { ...item, ...write, method: 'POST', path: `${CHANNELS}/:id/test`, bad: UNKNOWN_PARAMETER },
  { ...item, ...write, method: 'POST', path: `${CHANNELS}/:id/rotate-secret`, scope: 'admin', bad: UNKNOWN_PARAMETER },
];
