import { type EntityManager } from 'typeorm';

const BATCH = 500;
/** Smaller, because whole histories are read. */
const BACK_FILL_BATCH = 20;

/** Returns some of the monitors whose outages from before incidents were recorded have no incidents yet. */
export async function monitorsToBackFill(manager: EntityManager): Promise<string[]> {
  const rows: { monitor_id: string }[] = await manager.query(
    'SELECT monitor_id FROM incident_back_fills ORDER BY monitor_id LIMIT $1',
    [BACK_FILL_BATCH],
  );
  return rows.map((row) => row.monitor_id);
}

export async function noteBackFilled(manager: EntityManager, monitorIds: readonly string[]): Promise<void> {
  await manager.query('DELETE FROM incident_back_fills WHERE monitor_id = ANY($1::uuid[])', [monitorIds]);
}

/** An incident that was resolved because its monitor was deleted. */
export interface OrphanedIncident {
  id: string;
  team_id: string;
  kind: string;
  title: string;
  resolved_at: Date;
}

const IS_ORPHANED = `i.resolved_at IS NULL AND i.kind IN ('detected', 'drill')
  AND NOT EXISTS (SELECT FROM incident_monitors im WHERE im.incident_id = i.id)`;

/** Returns whether there are open incidents of deleted monitors. */
export async function hasOrphans(manager: EntityManager): Promise<boolean> {
  const found: unknown[] = await manager.query(`SELECT FROM incidents i WHERE ${IS_ORPHANED} LIMIT 1`);
  return found.length > 0;
}

/** Resolves the open incidents of deleted monitors, drills included, and returns them. */
export async function closeOrphans(manager: EntityManager, nowMs: number): Promise<OrphanedIncident[]> {
  const [closed]: [OrphanedIncident[], number] = await manager.query(
    `UPDATE incidents i SET resolved_at = greatest($1, started_at), settles_at = NULL, updated_at = $1
     WHERE ${IS_ORPHANED}
     RETURNING i.id, i.team_id, i.kind, i.title, i.resolved_at`,
    [new Date(nowMs)],
  );
  return closed;
}

/**
 * Returns monitors whose incidents no longer match their status, because time has passed or their definition has
 * changed. Reads the states directly: through the service of monitors it would have to load all that are down, every
 * second.
 */
export async function outOfStep(manager: EntityManager, nowMs: number): Promise<string[]> {
  const rows: { monitor_id: string }[] = await manager.query(
    `SELECT im.monitor_id FROM incidents i JOIN incident_monitors im ON im.incident_id = i.id
     WHERE i.settles_at <= $1 AND i.kind = 'detected'
     UNION
     SELECT im.monitor_id FROM incidents i
     JOIN incident_monitors im ON im.incident_id = i.id
     JOIN monitor_states s ON s.monitor_id = im.monitor_id AND s.status IN ('up', 'degraded')
     WHERE i.resolved_at IS NULL AND i.settles_at IS NULL AND i.kind = 'detected'
     UNION
     SELECT s.monitor_id FROM monitor_states s WHERE s.status = 'down' AND NOT EXISTS (
       SELECT FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
       WHERE im.monitor_id = s.monitor_id AND i.resolved_at IS NULL AND i.kind = 'detected')
     ORDER BY 1 LIMIT $2`,
    [new Date(nowMs), BATCH],
  );
  return rows.map((row) => row.monitor_id);
}
