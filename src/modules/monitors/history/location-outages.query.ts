import { HOLD_GRACE_MS } from '../../../domain/monitor-state.js';

/** A monitor and the period `[from, to)` as SQL expressions. A period without an end has the value null for `to`. */
interface MonitorPeriod {
  monitorId: string;
  from: string;
  to: string;
}

/**
 * Returns SQL that selects when the locations of a monitor were down in a period, each according to its own checks:
 * `location`, `at`, `confirmed_at`, and `ended_at`, which is null if the location has not recovered since. Includes
 * outages that began before the period. As in the uptime of a location, time without results does not count, nor does
 * time in which the location had no vote.
 */
export function locationOutages({ monitorId, from, to }: MonitorPeriod): string {
  const transitions = 'transitions t WHERE t.monitor_id = place.monitor_id AND t.location = place.location';
  const withoutResults = `coalesce((SELECT range_agg(tstzrange(s.starts_at, s.ends_at)) FROM spans s
      WHERE s.location = place.location AND s.kind IN ('gap', 'absence', 'no_vote')
        AND (s.monitor_id = place.monitor_id
          OR s.monitor_id IS NULL AND (s.shard IS NULL OR s.shard = shard_of(place.monitor_id, s.shards)))
        AND (${to} IS NULL OR s.starts_at < ${to}) AND (s.ends_at IS NULL OR s.ends_at > ${from})), '{}')
    + CASE WHEN place.holds_until < now() - interval '${HOLD_GRACE_MS} ms'
        THEN tstzmultirange(tstzrange(place.missing_from, NULL)) ELSE '{}' END`;
  // Two lookups by index instead of one condition, which would read all transitions before the period.
  return `SELECT place.location, down.at, down.confirmed_at, ended.at AS ended_at
    FROM location_states place CROSS JOIN LATERAL (
      (SELECT t.at, t.confirmed_at, t.to_status FROM ${transitions} AND t.at <= ${from}
       ORDER BY t.at DESC, t.confirmed_at DESC LIMIT 1)
      UNION ALL
      SELECT t.at, t.confirmed_at, t.to_status FROM ${transitions} AND t.at > ${from}
        AND (${to} IS NULL OR t.at < ${to})
    ) AS down
    LEFT JOIN LATERAL (SELECT t.at FROM ${transitions} AND t.at > down.at ORDER BY t.at LIMIT 1) AS ended ON true
    WHERE place.monitor_id = ${monitorId} AND down.to_status = 'down'
      AND tstzmultirange(tstzrange(down.at, ended.at) * tstzrange(${from}, ${to})) - (${withoutResults}) <> '{}'`;
}
