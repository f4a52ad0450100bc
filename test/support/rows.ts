import { type TestApp } from './app.js';

/** A query per table for the rows of one team ($1), without columns that change by themselves. */
const QUERIES: Record<string, string> = {
  monitors: 'SELECT * FROM monitors WHERE team_id = $1 ORDER BY id',
  monitor_states: 'SELECT * FROM monitor_states WHERE team_id = $1 ORDER BY monitor_id',
  spans: 'SELECT s.* FROM spans s JOIN monitors m ON m.id = s.monitor_id WHERE m.team_id = $1 ORDER BY s.id',
  check_requests:
    'SELECT r.* FROM check_requests r JOIN monitors m ON m.id = r.monitor_id WHERE m.team_id = $1 ORDER BY attempt',
  checks: 'SELECT c.* FROM checks c JOIN monitors m ON m.id = c.monitor_id WHERE m.team_id = $1 ORDER BY attempt',
  ping_keys: 'SELECT * FROM ping_keys WHERE team_id = $1 ORDER BY id',
  exclusions: 'SELECT * FROM exclusions WHERE team_id = $1 ORDER BY id',
  monitor_schedules:
    'SELECT s.* FROM monitor_schedules s JOIN monitors m ON m.id = s.monitor_id WHERE m.team_id = $1 ORDER BY 1, 2',
  status_pages: 'SELECT * FROM status_pages WHERE team_id = $1 ORDER BY id',
  status_page_components: 'SELECT * FROM status_page_components WHERE team_id = $1 ORDER BY id',
  status_page_subscribers: 'SELECT * FROM status_page_subscribers WHERE team_id = $1 ORDER BY id',
  maintenance_windows: 'SELECT * FROM maintenance_windows WHERE team_id = $1 ORDER BY id',
  notification_channels: 'SELECT * FROM notification_channels WHERE team_id = $1 ORDER BY id',
  notification_policies: 'SELECT * FROM notification_policies WHERE team_id = $1 ORDER BY id',
  silences: 'SELECT * FROM silences WHERE team_id = $1 ORDER BY id',
  // Only what callers change: the service plans and sends all the time.
  notifications: 'SELECT id, give_up_at FROM notifications WHERE team_id = $1 AND step = 1 ORDER BY id',
  operations: 'SELECT * FROM operations WHERE team_id = $1 ORDER BY id',
  operation_items: `SELECT i.* FROM operation_items i JOIN operations o ON o.id = i.operation_id
    WHERE o.team_id = $1 ORDER BY o.id, place`,
  api_keys: `SELECT to_jsonb(k) - 'last_used_at' - 'noticed_expiry' AS key FROM api_keys k WHERE team_id = $1 ORDER BY id`,
};

/** All rows of one team, in one query instead of one per table. */
const ALL = `SELECT jsonb_build_object(${Object.entries(QUERIES)
  .map(([table, sql]) => `'${table}', (SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]') FROM (${sql}) r)`)
  .join(', ')}) AS rows`;

/** Returns all stored rows of a team, to compare before and after. */
export async function rowsOf(app: TestApp, teamId: string): Promise<Record<string, unknown[]>> {
  const [all] = await app.query<{ rows: Record<string, unknown[]> }>(ALL, [teamId]);
  return all!.rows;
}
