import { type DataSource } from 'typeorm';
import { httpProbe } from '../../src/probes/http.probe.js';
import { type DatasetShape } from './shape.js';

/** Interval of every monitor. */
export const INTERVAL_SECONDS = 300;
export const PAGES = 20;
export const COMPONENTS = 50;

export type Timed = (what: string, work: () => Promise<unknown>) => Promise<unknown>;

/** The monitors and their kind of history, in a temporary table that later steps also read. */
const PLAN = `
CREATE TEMPORARY TABLE plan AS
SELECT n, uuidv7(created_at - now()) AS id, created_at, luck, outages,
       CASE WHEN luck < 0.01 THEN 'down' WHEN luck < 0.02 THEN 'degraded' WHEN luck < 0.03 THEN 'paused'
            WHEN luck < 0.035 THEN 'unknown' ELSE 'up' END AS status,
       (now() - random() * interval '3 hours')::timestamptz(3) AS turned_at
FROM (
  SELECT n, random() AS luck, floor(random() * 12)::int AS outages,
         (now() - $2 * interval '1 day' - random() * interval '90 days')::timestamptz(3) AS created_at
  FROM generate_series(1, $1::int) AS n
) AS drawn`;

const MONITORS = `
INSERT INTO monitors (id, team_id, key, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
  recovery_threshold, locations, quorum, tags, metadata, paused_at, pause_reason, created_at, updated_at)
SELECT id, $1, 'bench-' || n,
  (ARRAY['Checkout','Search','Login','Billing','Orders','Catalogue','Profile','Mail'])[1 + n % 8] || ' ' ||
    (ARRAY['API','site','worker','gateway'])[1 + n / 8 % 4] || ' ' || n,
  'http', $2::jsonb || jsonb_build_object('url', 'http://service-' || n || '.example.com/health'),
  'http://service-' || n || '.example.com/health', ${INTERVAL_SECONDS}, 10000, 2, 1, '{default}', 'majority',
  ARRAY[CASE WHEN random() < 0.8 THEN 'production' ELSE 'staging' END, 'team-' || 1 + floor(random() * 50)::int,
        'region-' || 1 + floor(random() * 5)::int],
  jsonb_build_object('owner', 'team-' || n % 50), CASE status WHEN 'paused' THEN turned_at END,
  CASE status WHEN 'paused' THEN 'Being rebuilt' END, created_at, created_at
FROM plan ORDER BY created_at`;

const SCHEDULES = `
INSERT INTO monitor_schedules (monitor_id, from_at, interval_seconds, locations)
SELECT id, created_at, ${INTERVAL_SECONDS}, '{default}' FROM plan`;

const STATES = `
INSERT INTO monitor_states (monitor_id, team_id, status, status_since)
SELECT id, $1, status, CASE WHEN status = 'up' THEN greatest(created_at, now() - random() * interval '30 days') ELSE turned_at END
FROM plan ORDER BY created_at`;

const LOCATIONS = `
INSERT INTO location_states (monitor_id, location, version, fold, checkpoint_through)
SELECT id, 'default', 1, jsonb_build_object(
    'status', seen, 'since', floor(extract(epoch FROM turned_at) * 1000),
    'streak', jsonb_build_object('status', seen, 'count', 40, 'startedAt', floor(extract(epoch FROM turned_at) * 1000)),
    'passing', CASE WHEN seen <> 'down' THEN
      jsonb_build_object('count', 40, 'startedAt', floor(extract(epoch FROM turned_at) * 1000)) END,
    'last', NULL,
    'lastError', CASE WHEN seen = 'down' THEN
      jsonb_build_object('code', 'connect_refused', 'message', 'The connection was refused.') END),
  date_trunc('milliseconds', now() - random() * interval '24 hours')
FROM (SELECT *, CASE WHEN status IN ('down', 'degraded') THEN status ELSE 'up' END AS seen FROM plan) AS seen`;

const CHECKPOINTS = `
INSERT INTO monitor_checkpoints (monitor_id, location, through, fold)
SELECT monitor_id, location, checkpoint_through, fold FROM location_states`;

/** Updates the states as if every monitor had been checked within the last interval. */
const FRESHEN = `
UPDATE location_states l SET last_check_at = t.at, missing_from = t.at + interval '${INTERVAL_SECONDS} s',
  holds_until = t.at + interval '${INTERVAL_SECONDS * 2} s',
  fold = jsonb_set(l.fold, '{last}', jsonb_build_object('attempt', 0, 'intervalMs', ${INTERVAL_SECONDS * 1_000},
    'checkedAt', floor(extract(epoch FROM t.at) * 1000), 'scheduledAt', floor(extract(epoch FROM t.at) * 1000)))
FROM (SELECT monitor_id, (now() - random() * interval '${INTERVAL_SECONDS} s')::timestamptz(3) AS at FROM location_states) AS t
WHERE l.monitor_id = t.monitor_id`;

const STATUS_PAGES = `
INSERT INTO status_pages (id, team_id, name, slug, description, published, access_type, timezone, history_days, theme)
SELECT uuidv7(), $1, 'Page ' || n, 'bench-' || n, 'How our services are', true, 'public', 'UTC', 90, 'auto'
FROM generate_series(1, $2::int) AS n`;

const PAGE_COMPONENTS = `
INSERT INTO status_page_components (id, team_id, status_page_id, monitor_id, position, name, group_name, show_uptime)
SELECT uuidv7(), $1, p.id, m.id, m.place, 'Service ' || m.place, 'Group ' || m.place / 10, true
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM status_pages) AS p
JOIN (SELECT id, (row_number() OVER () - 1) / ${COMPONENTS} + 1 AS number, (row_number() OVER () - 1) % ${COMPONENTS} AS place
      FROM (SELECT id FROM plan ORDER BY random() LIMIT ${PAGES * COMPONENTS}) AS drawn) AS m ON m.number = p.number`;

const WINDOWS = `
INSERT INTO maintenance_windows (id, team_id, name, monitor_ids, tags, starts_at, ends_at, timezone, public, settled_until, next_starts_at)
SELECT uuidv7(), $1, 'Maintenance ' || n, '{}', ARRAY['team-' || n], now() + n * interval '6 hours',
  now() + n * interval '6 hours' + interval '1 hour', 'UTC', true, now(), now() + n * interval '6 hours'
FROM generate_series(1, 20) AS n`;

/** Creates monitors with their current state, and status pages that show some of them. */
export async function fillMonitors(
  source: DataSource,
  teamId: string,
  { monitors, days }: DatasetShape,
  timed: Timed,
): Promise<void> {
  await timed('monitors', async () => {
    await source.query(PLAN, [monitors, days]);
    await source.query('CREATE UNIQUE INDEX ON plan (n)');
    await source.query('ANALYZE plan');
    await source.query(MONITORS, [teamId, JSON.stringify(httpProbe.defaults)]);
    await source.query(SCHEDULES);
  });
  await timed('states', async () => {
    await source.query(STATES, [teamId]);
    await source.query(LOCATIONS);
    await freshen(source);
    await source.query(CHECKPOINTS);
  });
  await timed('status pages', async () => {
    await source.query(STATUS_PAGES, [teamId, PAGES]);
    await source.query(PAGE_COMPONENTS, [teamId]);
    await source.query(WINDOWS, [teamId]);
  });
}

/** Moves the latest checks to the present, so that a writer does not record a gap caused by the age of the data set. */
export async function freshen(source: DataSource): Promise<void> {
  await source.query(FRESHEN);
}
