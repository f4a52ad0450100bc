import { type MaintenanceWindowDto } from '../../src/modules/maintenance/dto/maintenance-window.dto.js';
import { type TestTeam } from './app.js';
import { type RouteRow, type Setting } from './route-row.js';

const WINDOWS = '/v1/maintenance-windows';
const BODY = { name: 'A window', tags: ['a-tag-of-the-table'] };

/** Creates a window without a schedule, so that nothing about it changes by itself. */
async function maintenanceWindow({ app }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const { body } = await app.api(team.write).post<MaintenanceWindowDto>(WINDOWS, BODY);
  return { id: body.id };
}

const item = { path: `${WINDOWS}/:id`, arrange: maintenanceWindow } as const;
const write = { scope: 'write', success: 200 } as const;
const NOTHING_SELECTED = { status: 422, body: { name: 'A window' } } as const;
const UNKNOWN_PARAMETER = { status: 400, query: '?nothing=1' } as const;

/** The routes of maintenance windows. */
export const MAINTENANCE_ROWS: readonly RouteRow[] = [
  { method: 'GET', path: WINDOWS, scope: 'read', success: 200, bad: { status: 400, query: '?active=perhaps' } },
  { ...write, method: 'POST', path: WINDOWS, success: 201, body: BODY, bad: NOTHING_SELECTED },
  { ...item, method: 'GET', scope: 'read', success: 200, bad: UNKNOWN_PARAMETER },
  {
    ...item,
    method: 'GET',
    scope: 'read',
    success: 200,
    path: `${WINDOWS}/:id/definition`,
    bad: UNKNOWN_PARAMETER,
  },
  {
    method: 'GET',
    path: '/v1/definitions/maintenance-windows',
    scope: 'read',
    success: 200,
    bad: { status: 400, query: '?active=perhaps' },
  },
  { ...item, ...write, method: 'PUT', makes: true, body: BODY, bad: NOTHING_SELECTED },
  { ...item, ...write, method: 'PATCH', body: { name: 'Renamed' }, bad: { status: 422, body: { name: 5 } } },
  { ...item, ...write, method: 'DELETE', success: 204, bad: UNKNOWN_PARAMETER },
  {
    ...item,
    ...write,
    method: 'POST',
    path: `${WINDOWS}/:id/start`,
    body: { durationSeconds: 60 },
    bad: { status: 422, body: {} },
  },
  { ...item, ...write, method: 'POST', path: `${WINDOWS}/:id/end`, bad: UNKNOWN_PARAMETER },
];
