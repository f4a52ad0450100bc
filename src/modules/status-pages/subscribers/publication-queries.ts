/*
 * The statements that decide who is sent a publication, and queue it for them.
 */

/** Time between two mails to a subscriber. What is published in between is sent in one mail. */
export const BETWEEN_MAILS = "interval '5 minutes'";

/** The published pages of a team that show one of the monitors, with the components that do. */
export const SHOWN = `
  SELECT p.id AS status_page_id, p.team_id, array_agg(c.id ORDER BY c.position) AS component_ids
  FROM status_pages p JOIN status_page_components c ON c.status_page_id = p.id
  WHERE p.team_id = $1 AND p.published AND c.monitor_id = ANY($2::uuid[]) AND ($3::uuid IS NULL OR p.id = $3)
  GROUP BY p.id`;

/** The subscribers of a page `m` who have chosen one of its components. */
export const RECIPIENTS = `status_page_subscribers s ON s.status_page_id = m.status_page_id AND s.status = 'active'
    AND (s.component_ids IS NULL OR s.component_ids && m.component_ids)`;

/** A subscriber whose mail is due or under way keeps its time: the publication joins that mail, or follows it. */
function makeDue(now: string): string {
  return `UPDATE status_page_subscribers s
  SET due_at = coalesce(s.due_at, greatest(${now}::timestamptz, s.last_attempt_at + ${BETWEEN_MAILS}))
  FROM queued q WHERE s.id = q.subscriber_id`;
}

export const PUBLISH = `
  WITH shown AS (${SHOWN}), made AS (
    INSERT INTO subscriber_publications (id, team_id, status_page_id, source, content, component_ids, published_at)
    SELECT gen_random_uuid(), team_id, status_page_id, $4, $5::jsonb, component_ids, $6 FROM shown
    ON CONFLICT (status_page_id, source) DO NOTHING RETURNING id, status_page_id, component_ids
  ), queued AS (
    INSERT INTO subscriber_deliveries (subscriber_id, publication_id, status)
    SELECT s.id, m.id, 'pending' FROM made m JOIN ${RECIPIENTS} RETURNING subscriber_id
  )
  ${makeDue('$6')}`;

/** What announces maintenance `$1`. */
const ANNOUNCES = `p.content ->> 'subjectId' = $1 AND p.content ->> 'state' IN ('scheduled', 'rescheduled')`;

/** Mails that are fixed may have been sent already. */
export const WITHDRAW = `
  DELETE FROM subscriber_deliveries d USING subscriber_publications p
  WHERE p.id = d.publication_id AND ${ANNOUNCES} AND d.status = 'pending' AND d.mail_id IS NULL`;

/** Whatever the page shows by now: it was announced there. */
export const CANCEL = `
  WITH announced AS (
    SELECT DISTINCT ON (status_page_id) status_page_id, team_id, component_ids
    FROM subscriber_publications p WHERE ${ANNOUNCES} ORDER BY status_page_id, published_at DESC
  ), readers AS (
    SELECT DISTINCT s.id, s.status_page_id FROM subscriber_publications p
    JOIN subscriber_deliveries d ON d.publication_id = p.id AND d.status <> 'failed'
    JOIN status_page_subscribers s ON s.id = d.subscriber_id AND s.status = 'active'
    WHERE ${ANNOUNCES}
  ), made AS (
    INSERT INTO subscriber_publications (id, team_id, status_page_id, source, content, component_ids, published_at)
    SELECT gen_random_uuid(), team_id, status_page_id, $2, $3::jsonb, component_ids, $4 FROM announced
    WHERE status_page_id IN (SELECT status_page_id FROM readers)
    ON CONFLICT (status_page_id, source) DO NOTHING RETURNING id, status_page_id
  ), queued AS (
    INSERT INTO subscriber_deliveries (subscriber_id, publication_id, status)
    SELECT r.id, m.id, 'pending' FROM made m JOIN readers r ON r.status_page_id = m.status_page_id RETURNING subscriber_id
  )
  ${makeDue('$4')}`;
