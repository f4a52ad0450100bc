/*
 * The statements that decide who is sent a publication, queue it for them, and delete it in the end.
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

/**
 * When the mail of a subscriber `s` is due who has got something to be mailed. A mail that is due or under way keeps its
 * time: the publication joins it, or follows it.
 */
export const WHEN_MAILED = `coalesce(s.due_at, greatest(now(), s.last_attempt_at + ${BETWEEN_MAILS}))`;

/** Queues publications for `recipients` (id, publication_id). What is posted to a webhook is not mailed. */
const QUEUE = `
  , routed AS (
    SELECT r.*, w.id AS webhook_id FROM recipients r
    LEFT JOIN subscriber_webhooks w ON w.subscriber_id = r.id AND w.status = 'active'
  ), posted AS (
    INSERT INTO subscriber_webhook_deliveries (id, webhook_id, publication_id, status)
    SELECT gen_random_uuid(), webhook_id, publication_id, 'pending' FROM routed WHERE webhook_id IS NOT NULL
    RETURNING webhook_id
  ), hooked AS (
    UPDATE subscriber_webhooks w SET due_at = coalesce(w.due_at, now()) FROM posted p WHERE w.id = p.webhook_id
  ), queued AS (
    INSERT INTO subscriber_deliveries (subscriber_id, publication_id, status)
    SELECT id, publication_id, 'pending' FROM routed WHERE webhook_id IS NULL RETURNING subscriber_id
  )
  UPDATE status_page_subscribers s SET due_at = ${WHEN_MAILED} FROM queued q WHERE s.id = q.subscriber_id`;

/** SQL: publishes on the pages that `shown` selects, with the columns of `SHOWN`. */
function publish(shown: string): string {
  return `
  WITH shown AS (${shown}), made AS (
    INSERT INTO subscriber_publications (id, team_id, status_page_id, source, content, component_ids, published_at)
    SELECT gen_random_uuid(), team_id, status_page_id, $4, $5::jsonb, component_ids, now() FROM shown
    ON CONFLICT (status_page_id, source) DO NOTHING RETURNING id, status_page_id, component_ids
  ), recipients AS (
    SELECT s.id, m.id AS publication_id FROM made m JOIN ${RECIPIENTS}
  )${QUEUE}`;
}

export const PUBLISH = publish(SHOWN);

/**
 * Like `PUBLISH`, for the end of what the page has published as `$6`. If the page no longer shows any of the monitors,
 * or they are deleted, it concerns the components that the announcement did.
 */
export const PUBLISH_END = publish(`
  ${SHOWN}
  UNION ALL
  SELECT a.status_page_id, a.team_id, a.component_ids
  FROM subscriber_publications a JOIN status_pages g ON g.id = a.status_page_id AND g.published
  WHERE a.status_page_id = $3 AND a.source = $6 AND NOT EXISTS (${SHOWN})`);

/** Whether publication `p` announces maintenance that was deleted or made private since, or may not be announced. */
export const IS_OBSOLETE = `(p.content ->> 'state' IN ('scheduled', 'rescheduled') AND NOT EXISTS (
    SELECT FROM maintenance_windows x
    WHERE x.id = (p.content ->> 'subjectId')::uuid AND x.public AND x.notify_subscribers))`;

/** What announces maintenance `$1`. */
const ANNOUNCES = `p.content ->> 'subjectId' = $1 AND p.content ->> 'state' IN ('scheduled', 'rescheduled')`;

/** What may have arrived already stays: mails that are fixed, and posts that were attempted. */
export const WITHDRAW = `
  WITH unposted AS (
    DELETE FROM subscriber_webhook_deliveries d USING subscriber_publications p
    WHERE p.id = d.publication_id AND ${ANNOUNCES} AND d.status = 'pending' AND d.last_attempt_at IS NULL
  )
  DELETE FROM subscriber_deliveries d USING subscriber_publications p
  WHERE p.id = d.publication_id AND ${ANNOUNCES} AND d.status = 'pending' AND d.mail_id IS NULL`;

/** Whatever the page shows by now: it was announced there. */
export const CANCEL = `
  WITH announcements AS (
    SELECT * FROM subscriber_publications p WHERE ${ANNOUNCES}
  ), announced AS (
    SELECT DISTINCT ON (status_page_id) status_page_id, team_id, component_ids
    FROM announcements ORDER BY status_page_id, published_at DESC
  ), reached AS (
    SELECT d.subscriber_id FROM announcements a
    JOIN subscriber_deliveries d ON d.publication_id = a.id AND d.status <> 'failed'
    UNION SELECT w.subscriber_id FROM announcements a
    JOIN subscriber_webhook_deliveries d ON d.publication_id = a.id AND d.status <> 'failed'
    JOIN subscriber_webhooks w ON w.id = d.webhook_id
  ), readers AS (
    SELECT s.id, s.status_page_id FROM reached r
    JOIN status_page_subscribers s ON s.id = r.subscriber_id AND s.status = 'active'
  ), made AS (
    INSERT INTO subscriber_publications (id, team_id, status_page_id, source, content, component_ids, published_at)
    SELECT gen_random_uuid(), team_id, status_page_id, $2, $3::jsonb, component_ids, now() FROM announced
    WHERE status_page_id IN (SELECT status_page_id FROM readers)
    ON CONFLICT (status_page_id, source) DO NOTHING RETURNING id, status_page_id
  ), recipients AS (
    SELECT r.id, m.id AS publication_id FROM made m JOIN readers r ON r.status_page_id = m.status_page_id
  )${QUEUE}`;

const KEPT_SINCE = `(now() - interval '30 days')`;

/**
 * Deletes what was published 30 days ago, except what the cancellation of coming maintenance is based on, and the end of a
 * detected incident. `updated_at` is not before the end was recorded, which `resolved_at` may be.
 */
export const DELETE_OLD = `
  DELETE FROM subscriber_publications p
  WHERE p.published_at < ${KEPT_SINCE} AND ((p.content ->> 'startsAt')::timestamptz >= ${KEPT_SINCE}) IS NOT TRUE
    AND NOT EXISTS (SELECT FROM incidents i WHERE p.source NOT LIKE 'event:%'
      AND i.id = (p.content ->> 'subjectId')::uuid AND (i.resolved_at IS NULL OR i.updated_at >= ${KEPT_SINCE}))`;
