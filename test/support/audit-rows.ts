import { type ExclusionDto } from '../../src/modules/exclusions/dto/exclusion.dto.js';
import { type TestApp, type TestTeam } from './app.js';
import { createMonitor, httpMonitor } from './monitors.js';
import { type Target } from './target.js';

const EXCLUSIONS = '/v1/exclusions';
const EXCLUDED = { from: '2026-01-01T12:00:00.000Z', to: '2026-01-01T12:30:00.000Z', reason: 'A row' };

async function exclusion({ app, target }: { app: TestApp; target: Target }, team: TestTeam) {
  const api = app.api(team.write);
  const { id } = await createMonitor(api, httpMonitor(target.url('/routes'), { paused: true, tags: ['audited'] }));
  const { body } = await api.post<ExclusionDto>(EXCLUSIONS, { ...EXCLUDED, monitorIds: [id] });
  return { id: body.id };
}

const UNKNOWN_PARAMETER = { status: 400, query: '?nothing=1' } as const;
const ITEM = { path: `${EXCLUSIONS}/:id`, arrange: exclusion, bad: UNKNOWN_PARAMETER } as const;
const NO_REASON = { status: 422, body: { ...EXCLUDED, reason: '' } } as const;
const read = { method: 'GET', scope: 'read', success: 200 } as const;
const write = { method: 'POST', scope: 'write', success: 201 } as const;
const remove = { method: 'DELETE', scope: 'write', success: 204 } as const;

/** The routes of exclusions, reports and the overview; `ROUTE_ROWS` checks their type. */
export const AUDIT_ROWS = [
  { ...read, path: EXCLUSIONS, bad: { status: 400, query: '?limit=0' } },
  { ...write, path: EXCLUSIONS, body: { ...EXCLUDED, tags: ['audited'] }, bad: NO_REASON },
  { ...read, ...ITEM },
  { ...remove, ...ITEM },
  { ...read, path: '/v1/reports/sla', bad: { status: 400, query: '?target=100' } },
  { ...read, path: '/v1/reports/alerting', bad: { status: 400, query: '?from=2026-02-30' } },
  { ...read, path: '/v1/overview', bad: UNKNOWN_PARAMETER },
] as const;
