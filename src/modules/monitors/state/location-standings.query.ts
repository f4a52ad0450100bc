import { type EntityManager } from 'typeorm';
import { groupBy } from '../../../domain/group-by.js';
import { HOLD_GRACE_MS } from '../../../domain/monitor-state.js';
import { type ConfirmedStatus } from '../../../domain/quorum.js';

/** What one location finds about a monitor at present. */
export interface LocationStanding {
  key: string;
  name: string;
  /** `unknown` if it has no recent result, or its results do not count. `pending`: nothing is confirmed yet. */
  status: ConfirmedStatus | 'unknown';
  lastCheckAt: Date | null;
}

/**
 * Returns what each location of these monitors finds, by monitor, in the order of its locations. Monitors with a single
 * location are omitted.
 */
export async function locationStandings(
  source: Pick<EntityManager, 'query'>,
  monitorIds: readonly string[],
): Promise<Map<string, LocationStanding[]>> {
  if (monitorIds.length === 0) return new Map();
  const rows: (LocationStanding & { monitorId: string })[] = await source.query(
    `SELECT m.id AS "monitorId", place.key, coalesce(known.name, place.key) AS name,
       CASE WHEN l.holds_until >= now() - interval '${HOLD_GRACE_MS} ms' AND known.enabled AND known.voteless_since IS NULL
         THEN l.fold ->> 'status' ELSE 'unknown' END AS status,
       l.last_check_at AS "lastCheckAt"
     FROM monitors m CROSS JOIN LATERAL unnest(m.locations) WITH ORDINALITY AS place (key, at)
     LEFT JOIN locations known ON known.key = place.key
     LEFT JOIN location_states l ON l.monitor_id = m.id AND l.location = place.key
     WHERE m.id = ANY($1::uuid[]) AND cardinality(m.locations) > 1 ORDER BY m.id, place.at`,
    [monitorIds],
  );
  return groupBy(rows, ({ monitorId }) => monitorId);
}

/**
 * Returns SQL, like `monitorsVersion`, for a text that changes with the confirmed states of monitors at their locations, and
 * with these locations. Unlike the `xmin` of the states, it does not change with every check.
 */
export function standingsVersion(monitorIds: string): string {
  return `(SELECT string_agg(concat(l.monitor_id, ',', l.location, ',', l.fold ->> 'status', ',', known.xmin), ' '
      ORDER BY l.monitor_id, l.location)
    FROM location_states l LEFT JOIN locations known ON known.key = l.location WHERE l.monitor_id = ANY(${monitorIds}))`;
}
