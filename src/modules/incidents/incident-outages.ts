import { type EntityManager } from 'typeorm';
import { groupBy } from '../../domain/group-by.js';
import { locationOutages } from '../monitors/history/location-outages.query.js';

/** An outage at one of the locations of a monitor, during an incident. */
export interface IncidentOutage {
  location: string;
  name: string;
  at: Date;
  confirmedAt: Date;
  /** Null if the location has not recovered since. */
  endedAt: Date | null;
}

const DURING = locationOutages({ monitorId: 'im.monitor_id', from: 'i.started_at', to: 'i.resolved_at' });

/** SQL: whether `:location` was down during the detected incident `i`. */
export const DOWN_AT_LOCATION = `i.kind = 'detected' AND EXISTS (
  SELECT FROM incident_monitors im CROSS JOIN LATERAL (${DURING}) AS outage
  WHERE im.incident_id = i.id AND outage.location = :location)`;

/**
 * Returns the newest outages at each location during detected incidents, by incident, oldest first. Incidents of
 * monitors that have always been checked from a single location are omitted.
 */
export async function outagesByIncident(
  manager: EntityManager,
  incidentIds: readonly string[],
  newest: number,
): Promise<Map<string, IncidentOutage[]>> {
  const rows: (IncidentOutage & { incidentId: string })[] = await manager.query(
    `SELECT i.id AS "incidentId", outage.location, coalesce(known.name, outage.location) AS name, outage.at,
       outage.confirmed_at AS "confirmedAt", outage.ended_at AS "endedAt"
     FROM incidents i JOIN incident_monitors im ON im.incident_id = i.id
     CROSS JOIN LATERAL (SELECT * FROM (${DURING}) AS outage ORDER BY outage.at DESC LIMIT $2) AS outage
     LEFT JOIN locations known ON known.key = outage.location
     WHERE i.id = ANY($1::uuid[]) AND i.kind = 'detected'
       AND (SELECT count(*) FROM location_states WHERE monitor_id = im.monitor_id) > 1
     ORDER BY outage.at, outage.location`,
    [incidentIds, newest],
  );
  return groupBy(rows, ({ incidentId }) => incidentId);
}
