import { type TestApp, type TestTeam } from './app.js';
import { createMonitor, httpMonitor } from './monitors.js';

/**
 * Creates paused monitors with a tag, all but one directly in the database, because requests would take too long.
 * Returns their ids in ascending order.
 */
export async function manyMonitors(app: TestApp, team: TestTeam, count: number, tag: string): Promise<string[]> {
  const definition = httpMonitor('http://127.0.0.1:9/', { name: `One of ${tag}`, paused: true, tags: [tag] });
  const { id } = await createMonitor(app.api(team.write), definition);
  await app.query(
    `INSERT INTO monitors SELECT r.* FROM monitors m CROSS JOIN generate_series(2, $2::int) AS n
     CROSS JOIN LATERAL jsonb_populate_record(m, jsonb_build_object('id', md5(m.id::text || n)::uuid)) AS r
     WHERE m.id = $1`,
    [id, count],
  );
  await app.query(
    `INSERT INTO monitor_states SELECT r.* FROM monitor_states s CROSS JOIN monitors m
     CROSS JOIN LATERAL jsonb_populate_record(s, jsonb_build_object('monitor_id', m.id)) AS r
     WHERE s.monitor_id = $1 AND m.team_id = $2 AND m.tags = ARRAY[$3] AND m.id <> $1`,
    [id, team.id, tag],
  );
  const rows = await app.query<{ id: string }>(
    'SELECT id FROM monitors WHERE team_id = $1 AND tags = ARRAY[$2] ORDER BY id',
    [team.id, tag],
  );
  return rows.map((row) => row.id);
}
