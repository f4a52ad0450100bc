import { type DataSource } from 'typeorm';
import { readConfig } from '../../src/config/app-config.js';
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.js';
import { addLatency, EMPTY_HISTOGRAM, type LatencyHistogram } from '../../src/domain/latency-histogram.js';
import { lastDays, type UtcDay } from '../../src/domain/utc-day.js';
import { PartitionsService } from '../../src/modules/checks/partitions.service.js';
import { RollupOrderService } from '../../src/modules/uptime/rollup-order.service.js';
import { SLICES, turnOf } from '../../src/modules/uptime/rollup-turn.js';
import { INTERVAL_SECONDS, type Timed } from './monitors.js';
import { type DatasetShape } from './shape.js';

const CHECKS_PER_DAY = DAY_MS / 1_000 / INTERVAL_SECONDS;
/** Number of different daily response time distributions; each monitor cycles through them. */
const SHAPES = 128;

/** Disjoint past outages of all monitors, and a current one for monitors that are down or degraded now. */
const OUTAGES = `
CREATE TEMPORARY TABLE outages AS
SELECT n, id, kind, at, at + interval '${INTERVAL_SECONDS} s' AS confirmed_at, until FROM (
  SELECT n, id, CASE WHEN random() < 0.75 THEN 'down' ELSE 'degraded' END AS kind, at::timestamptz(3) AS at,
         (at + least(random() ^ 2 * interval '90 minutes' + interval '6 minutes', room * 0.08))::timestamptz(3) AS until
  FROM (SELECT plan.n, id, w.room, $1::timestamptz + (k - 1 + random() * 0.9) * w.room AS at
        FROM plan, LATERAL (SELECT (now() - interval '4 hours' - $1::timestamptz) / greatest(outages, 1) AS room) AS w,
             LATERAL generate_series(1, outages) AS k) AS drawn
  UNION ALL
  SELECT n, id, status, turned_at, NULL FROM plan WHERE status IN ('down', 'degraded')
) AS outages`;

const TRANSITIONS = `
INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status, error_code)
SELECT uuidv7(at - now()), id, 'default', at, confirmed_at, was, now_is, error FROM (
  SELECT id, created_at AS at, created_at AS confirmed_at, 'pending' AS was, 'up' AS now_is, NULL AS error FROM plan
  UNION ALL
  SELECT id, at, confirmed_at, 'up', kind, CASE kind WHEN 'down' THEN 'connect_refused' END FROM outages
  UNION ALL
  SELECT id, until, until, kind, 'up', NULL FROM outages WHERE until IS NOT NULL
) AS changes ORDER BY at`;

const INCIDENTS = `
WITH made AS (
  INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, resolved_at, outage_count, cause, created_at, updated_at)
  SELECT incident, (SELECT id FROM teams), 'detected', 'Service ' || n || ' is down', 'down', at, confirmed_at, until, 1,
    '{"errorCode": "connect_refused", "message": "The connection was refused.", "firstFailedCheckId": null, "lastFailedCheckId": null, "failedAssertions": []}',
    confirmed_at, coalesce(until, confirmed_at)
  FROM found
)
INSERT INTO incident_monitors (incident_id, monitor_id, team_id) SELECT incident, id, (SELECT id FROM teams) FROM found`;

const MANUAL = `
WITH made AS (
  INSERT INTO incidents (id, team_id, kind, title, own_title, impact, started_at, resolved_at)
  SELECT uuidv7(), c.team_id, 'manual', 'Slow answers', true, 'degraded', now() - interval '3 days', now() - interval '2 days'
  FROM (SELECT DISTINCT status_page_id, team_id FROM status_page_components) AS c RETURNING id, team_id
), about AS (
  INSERT INTO incident_monitors (incident_id, monitor_id, team_id)
  SELECT m.id, c.monitor_id, m.team_id FROM (SELECT *, row_number() OVER () AS number FROM made) AS m
  JOIN (SELECT monitor_id, dense_rank() OVER (ORDER BY status_page_id) AS number FROM status_page_components
        WHERE position < 3) AS c ON c.number = m.number
)
INSERT INTO incident_updates (id, incident_id, at, phase, text, author, public)
SELECT uuidv7(), id, now() - k * interval '14 hours', 'monitoring', 'We are watching it.', 'somebody', true
FROM made, generate_series(4, 5) AS k`;

const SPANS = `
INSERT INTO spans (id, monitor_id, location, kind, starts_at, ends_at, reason)
SELECT uuidv7(at - now()), id, location, kind, at, at + random() * interval '1 hour', reason FROM (
  SELECT id, 'default' AS location, 'gap' AS kind, $1::timestamptz + random() * (now() - interval '2 hours' - $1) AS at, NULL AS reason
  FROM plan WHERE n % 3 = 0
  UNION ALL
  SELECT id, NULL, 'pause', $1 + random() * (now() - interval '2 hours' - $1), 'Deploying' FROM plan WHERE n % 20 = 1
  UNION ALL
  SELECT id, NULL, 'maintenance', $1 + random() * (now() - interval '2 hours' - $1), NULL FROM plan WHERE n % 10 = 2
  UNION ALL
  SELECT NULL, 'default', 'absence', $1 + random() * (now() - interval '2 hours' - $1), 'not_running' FROM generate_series(1, 20)
) AS drawn ORDER BY at`;

const OPEN_PAUSES = `
INSERT INTO spans (id, monitor_id, kind, starts_at, reason)
SELECT uuidv7(), id, 'pause', turned_at, 'Being rebuilt' FROM plan WHERE status = 'paused'`;

const ROLLUPS = `
INSERT INTO daily_rollups (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms, histogram)
SELECT p.id, $1::date, 'default', ${CHECKS_PER_DAY}, (p.luck * 3)::int, s.count, s.sum, s.histogram
FROM plan p JOIN shapes s ON s.n = (p.n + $1::date - '2020-01-01'::date) % ${SHAPES} ORDER BY p.luck`;

/** Inserted in chronological order, so that the checks of a monitor are spread over as many pages as in production. */
const CHECKS = `
INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
  interval_seconds, failure_threshold, recovery_threshold, status_code, response_time_ms, dns_ms, connect_ms, first_byte_ms,
  transfer_ms, remote_address, error_code, error_message)
SELECT id, at, 'default', 0, at + interval '3 ms', 'schedule', CASE WHEN failed THEN 'down' ELSE 'up' END, 1,
  ${INTERVAL_SECONDS}, 2, 1, CASE WHEN NOT failed THEN 200 END, CASE WHEN NOT failed THEN took END, 0.4, 1.2,
  CASE WHEN NOT failed THEN took - 2 END, CASE WHEN NOT failed THEN 0.3 END, '203.0.113.' || n % 250,
  CASE WHEN failed THEN 'connect_refused' END, CASE WHEN failed THEN 'The connection was refused.' END
FROM (
  SELECT n, id, slot + n % ${INTERVAL_SECONDS} * interval '1 s' AS at, random() < 0.005 AS failed, 20 + 300 * random() ^ 3 AS took
  FROM plan, generate_series($1::timestamptz, $1::timestamptz + interval '1 day' - interval '1 s', interval '${INTERVAL_SECONDS} s') AS slot
  WHERE n <= $2
  UNION ALL
  SELECT n, id, $1::timestamptz + n % ${CHECKS_PER_DAY} * interval '${INTERVAL_SECONDS} s' + n % ${INTERVAL_SECONDS} * interval '1 s',
         random() < 0.005, 20 + 300 * random() ^ 3
  FROM plan WHERE n > $2
) AS slots WHERE at < now() ORDER BY at`;

/**
 * Creates transitions, incidents, spans, roll-ups and checks of the last days. Roll-ups cover all checks. Of the checks
 * themselves, some monitors have all, and the others have one per day.
 */
export async function fillHistory(source: DataSource, shape: DatasetShape, timed: Timed): Promise<void> {
  const days = lastDays(shape.days, Date.now());
  const from = new Date(days[0]!.fromMs);
  await timed('transitions and incidents', async () => {
    await source.query(OUTAGES, [from]);
    await source.query(TRANSITIONS);
    await source.query(
      `CREATE TEMPORARY TABLE found AS
       SELECT *, uuidv7(at - now()) AS incident FROM outages WHERE kind = 'down' ORDER BY at`,
    );
    await source.query(INCIDENTS);
    await source.query(MANUAL);
    await source.query(SPANS, [from]);
    await source.query(OPEN_PAUSES);
  });
  await timed('roll-ups', async () => {
    await makeShapes(source);
    await fillRollups(source, days);
  });
  await timed('checks', async () => {
    await new PartitionsService(source, readConfig({})).ensure(days.map(({ fromMs }) => fromMs));
    for (const { fromMs } of days) await source.query(CHECKS, [new Date(fromMs), fullyKept(shape)]);
  });
}

/** Creates roll-ups day by day, and clusters each week once it is final, as a continuously running service does. */
async function fillRollups(source: DataSource, days: readonly UtcDay[]): Promise<void> {
  const order = new RollupOrderService(source);
  let gathered = turnOf(days[0]!.fromMs).toMs;
  for (const { date, fromMs } of days) {
    await source.query(ROLLUPS, [date]);
    if (turnOf(fromMs).toMs === gathered) continue;
    gathered = turnOf(fromMs).toMs;
    for (let hour = 0; hour < SLICES; hour += 1) await order.gather(fromMs + hour * HOUR_MS);
    // Autovacuum runs about as often: it makes the space of the moved rows available again.
    await source.query('VACUUM daily_rollups');
  }
}

/** Number of monitors that have all of their checks. */
function fullyKept({ monitors, days, checks }: DatasetShape): number {
  const kept = (checks / days - monitors) / (CHECKS_PER_DAY - 1);
  return Math.min(monitors, Math.max(0, Math.round(kept)));
}

async function makeShapes(source: DataSource): Promise<void> {
  const shapes = Array.from({ length: SHAPES }, (_, shape) => {
    let histogram: LatencyHistogram = EMPTY_HISTOGRAM;
    let sum = 0;
    for (let check = 0; check < CHECKS_PER_DAY; check += 1) {
      // Each distribution has its own median and a long tail.
      const latencyMs = (20 + shape) * Math.exp((((check * 37) % 100) / 100) ** 4 * 2 + ((check * 61) % 100) / 100);
      histogram = addLatency(histogram, latencyMs);
      sum += latencyMs;
    }
    return { histogram, sum };
  });
  await source.query('CREATE TEMPORARY TABLE shapes (n int, histogram int[], count int, sum float8)');
  for (const [n, { histogram, sum }] of shapes.entries()) {
    await source.query('INSERT INTO shapes VALUES ($1, $2, $3, $4)', [n, histogram, CHECKS_PER_DAY, sum]);
  }
}
