/** A policy that notifies of outages, and whose channels are not all disabled. */
const NOTIFIES = `p.enabled AND 'down' = ANY(p.events) AND EXISTS (
  SELECT FROM jsonb_array_elements(p.steps) AS step,
    jsonb_array_elements_text(step->'channelIds') AS channel_id
    JOIN notification_channels c ON c.id = channel_id::uuid AND c.enabled
  WHERE c.team_id = p.team_id)`;

/** The rule of `matches`, for a monitor `m` and the members of a match as columns of `p`, which are null if absent. */
const MATCHES = `coalesce(p."all", false) OR NOT coalesce(m.tags && p."notTags", false) AND (
  coalesce(m.id = ANY(p."monitorIds"), false)
  OR (coalesce(cardinality(p."monitorIds"), 0) = 0 OR coalesce(cardinality(p.tags), 0) > 0
      OR coalesce(cardinality(p."allTags"), 0) > 0 OR coalesce(cardinality(p.types), 0) > 0)
    AND (coalesce(cardinality(p.tags), 0) = 0 OR m.tags && p.tags)
    AND m.tags @> coalesce(p."allTags", '{}')
    AND (coalesce(cardinality(p.types), 0) = 0 OR m.type = ANY(p.types)))`;

/**
 * Returns an SQL condition: whether anybody is notified when the monitor `m` is down.
 *
 * The policies of the team are read and parsed once per query, not once per monitor, provided that `teamId` does not
 * depend on the monitor: the argument of the function is then constant, and PostgreSQL keeps its rows.
 * @param teamId an SQL expression
 */
export function notifiedCondition(teamId: string): string {
  return `EXISTS (SELECT FROM jsonb_to_recordset((
      SELECT jsonb_agg(p.match) FROM notification_policies p WHERE p.team_id = ${teamId} AND ${NOTIFIES}
    )) AS p ("all" boolean, "monitorIds" uuid[], tags text[], "allTags" text[], "notTags" text[], types text[])
    WHERE ${MATCHES})`;
}
