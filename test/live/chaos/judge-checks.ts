import { nextSlotAfter, phaseMs } from '../../../src/domain/schedule.js';
import { type UptimeDto } from '../../../src/modules/uptime/dto/uptime.dto.js';
import { type OwnCluster } from '../../support/own-cluster.js';
import { type Played } from '../actor.js';
import { type Blind } from '../judge.js';
import { type StoredCheck } from './records.js';
import { time, type Verdict } from './verdict.js';

/** A monitor with a timetable, which nobody changes. Times in milliseconds. */
export interface Judged {
  id: string;
  target: number;
  intervalMs: number;
  timeoutMs: number;
  locations: readonly string[];
  quorum: 'any' | 'majority' | 'all';
  createdAt: number;
}

/** Difference between the clocks and moments of targets and workers on one machine. */
const GRACE_MS = 500;
/** A check that takes longer than this beyond its timeout does not count as failed. */
const ALLOWANCE_MS = 2_000;
/** Slots this close after a creation are not expected; the result of a slot is, this long after the timeout. */
const CREATED_MS = 250;
const RECORDED_WITHIN_MS = 5_000;
/** These may also mean that the machine is busy. */
const TIMEOUTS = new Set(['timeout', 'connect_timeout']);

/** Expects every row once, at a slot, and counted once. */
export async function judgeRows(cluster: OwnCluster, verdict: Verdict): Promise<void> {
  const rows = await cluster.query<{ id: string; slot: number; interval_ms: number; rows: number; location: string }>(
    `SELECT monitor_id AS id, location, (extract(epoch FROM scheduled_at) * 1000)::float8 AS slot,
       min(interval_seconds) * 1000 AS interval_ms, count(*)::int AS rows
     FROM checks WHERE attempt = 0 GROUP BY 1, 2, 3`,
  );
  verdict.note('slots recorded', rows.length);
  for (const { id, slot, interval_ms: intervalMs, rows: count, location } of rows) {
    if (count > 1) verdict.find('recorded_twice', `${id} at ${location}: ${count} rows for the slot ${time(slot)}`);
    const off = (Math.round(slot) - phaseMs(id, intervalMs)) % intervalMs;
    if (off !== 0) verdict.find('off_slot', `${id} at ${location}: a check ${off} ms after a slot`);
  }
  const wrong = await cluster.query<{ id: string; location: string; counted: number | null; rows: number | null }>(
    `SELECT id, location, counted, rows FROM
       (SELECT monitor_id AS id, location, day, checks_total AS counted, checks_failed AS failed FROM daily_rollups) r
     FULL JOIN (SELECT monitor_id AS id, location, (scheduled_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS rows,
                  count(*) FILTER (WHERE status = 'down')::int AS down
                FROM checks JOIN monitors m ON m.id = monitor_id WHERE attempt = 0 GROUP BY 1, 2, 3) c
       USING (id, location, day)
     WHERE counted IS DISTINCT FROM rows OR failed IS DISTINCT FROM down`,
  );
  for (const { id, location, counted, rows: stored } of wrong)
    verdict.find('miscounted', `${id} at ${location}: ${stored} checks are stored, ${counted} are counted`);
}

/** Expects the report on a monitor to account for each of its slots: as a check or as missed. */
export function judgeSlots(judged: Judged, checks: readonly StoredCheck[], uptime: UptimeDto, verdict: Verdict) {
  const { id, intervalMs, timeoutMs, createdAt, locations } = judged;
  const dueMs = Date.parse(uptime.computedAt) - timeoutMs - RECORDED_WITHIN_MS;
  const phase = phaseMs(id, intervalMs);
  const missing: number[] = [];
  for (const location of locations) {
    const have = new Set(
      checks.filter((one) => one.location === location && one.attempt === 0).map((one) => one.scheduledAt),
    );
    const first = nextSlotAfter(phase, intervalMs, createdAt + CREATED_MS - 1);
    for (let slot = first; slot <= dueMs; slot += intervalMs) if (!have.has(slot)) missing.push(slot);
  }
  const executed = checks.filter(({ attempt }) => attempt === 0).length;
  const sum = (of: 'checksExecuted' | 'checksMissed'): number =>
    uptime.days.reduce((total, day) => total + (day[of] ?? 0), 0);
  const reported = { executed: sum('checksExecuted'), missed: sum('checksMissed') };
  if (reported.executed !== executed || reported.missed !== missing.length) {
    const text = `${executed} checks and ${missing.length} slots without one, reported as ${JSON.stringify(reported)}`;
    verdict.find('unaccounted_slot', `${id}: ${text}`);
  }
  return missing.length;
}

/** Compares each check with the true state of the target while it ran. Returns failures that may be the machine's. */
export function judgeOutcomes(
  { id, timeoutMs }: Judged,
  checks: readonly StoredCheck[],
  played: readonly Played[],
  stalls: readonly Blind[],
  verdict: Verdict,
): StoredCheck[] {
  const down = played.filter(({ mode }) => mode === 'down');
  const doubtful: StoredCheck[] = [];
  for (const check of checks) {
    const { checkedAt: from, status, responseTimeMs } = check;
    const text = `${id} at ${check.location}, ${time(from)}`;
    if (status === 'down') {
      const to = from + timeoutMs + ALLOWANCE_MS;
      if (down.some((one) => one.from < to + GRACE_MS && from - GRACE_MS < one.to)) continue;
      if (!TIMEOUTS.has(check.error!.code)) verdict.find('false_failure', `${text}: ${check.error!.code}`);
      else if (!stalls.some((one) => one.from < to && from < one.to)) doubtful.push(check);
    } else if (status !== 'unknown') {
      const to = from + (responseTimeMs ?? 0);
      if (down.some((one) => one.from < from - GRACE_MS && to + GRACE_MS < one.to))
        verdict.find('false_pass', `${text}: the target was down`);
    }
  }
  return doubtful;
}

/** Expects every run of failures that was confirmed to be true, and every outage that was observed to be confirmed. */
export function judgeDown(
  judged: Judged,
  checks: readonly StoredCheck[],
  runs: readonly { location: string; from: number; to: number; confirmedAt: number }[],
  played: readonly Played[],
  stalls: readonly Blind[],
  verdict: Verdict,
): { outages: number; detected: number } {
  const { id, timeoutMs, intervalMs, locations } = judged;
  const slack = timeoutMs + ALLOWANCE_MS + GRACE_MS;
  const down = played.filter(({ mode }) => mode === 'down');
  for (const run of runs) {
    const isTrue = down.some((one) => one.from < run.confirmedAt + slack && run.from - GRACE_MS < one.to);
    const isStalled = stalls.some((one) => one.from < run.confirmedAt + slack && run.from < one.to);
    if (!isTrue && !isStalled)
      verdict.find('false_down', `${id} at ${run.location}: down from ${time(run.from)}, while the target was up`);
  }
  const counts = { outages: 0, detected: 0 };
  for (const outage of down) {
    for (const location of locations) {
      counts.outages += 1;
      if (runs.some((run) => run.location === location && run.from < outage.to && outage.from < run.to)) {
        counts.detected += 1;
        continue;
      }
      const [from, to] = [outage.from + GRACE_MS, outage.to - slack];
      const observed = checks.filter(
        (one) => one.location === location && one.status !== 'unknown' && from <= one.checkedAt && one.checkedAt < to,
      );
      // The threshold is 2; 4 while the location is the only one with recent results.
      const slots = Math.floor((to - from) / intervalMs);
      const isWhole = slots >= 5 && observed.filter(({ attempt }) => attempt === 0).length >= slots;
      if (observed.length >= 4 || isWhole)
        verdict.find(
          'missed',
          `${id} at ${location}: an outage at ${time(outage.from)} with ${observed.length} failures`,
        );
    }
  }
  return counts;
}
