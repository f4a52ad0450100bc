import { exactDuration } from '../../../html/time-text.js';
import { type HeartbeatSettings } from '../../../probes/heartbeat/heartbeat-fields.dto.js';
import { awaitsReports } from '../../../probes/index.js';
import { Ago, Time } from '../html/time.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';

/** The beginning of a sentence about each state, which continues with `since`. */
const BEGINNINGS: Readonly<Record<MonitorDto['status'], string>> = {
  pending: 'Waiting for the first result',
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  paused: 'Paused',
  maintenance: 'Under maintenance',
  unknown: 'No data',
};

/** The state of a monitor in plain words. */
export function StateSentence({ monitor, nowMs }: { monitor: MonitorDto; nowMs: number }) {
  const { status, statusSince, lastError, pausedUntil } = monitor;
  return (
    <>
      {BEGINNINGS[status]} since <Time at={statusSince} /> (
      <Ago at={statusSince} nowMs={nowMs} />
      {status === 'paused' && pausedUntil !== null && (
        <>
          , until <Time at={pausedUntil} />
        </>
      )}
      ). {lastError !== null && (status === 'down' || status === 'degraded') && `${lastError.message} `}
      {rhythm(monitor)}
    </>
  );
}

/** Returns a sentence about the further checks of a monitor. */
export function rhythm(monitor: MonitorDto): string {
  const { status, pauseReason } = monitor;
  const waits = awaitsReports(monitor.type);
  if (status === 'paused') {
    const paused = waits ? 'Reports change nothing' : 'Checks are paused';
    return pauseReason === null ? `${paused}.` : `${paused}: ${pauseReason}`;
  }
  if (waits) return reportRhythm(monitor);
  const doubt = confirmingWords(monitor);
  if (doubt !== null) return `${upperFirst(doubt)}. Re-checking every ${every(retrySeconds(monitor))}.`;
  if (status === 'unknown') return 'No results are being recorded. This time counts as neither up nor down.';
  return `Checked every ${every(Number(monitor.intervalSeconds))}.`;
}

/** Returns a sentence about when the job is expected to report. */
function reportRhythm({ status, settings }: MonitorDto): string {
  if (status === 'unknown') return 'A report could not have arrived. Nothing is known until the next one.';
  const { schedule, graceSeconds } = settings as HeartbeatSettings;
  const { everySeconds, cron, onCalendar, timezone } = schedule;
  const due =
    everySeconds == null ? `by the schedule ${cron ?? onCalendar} (${timezone})` : `every ${every(everySeconds)}`;
  return `A report is due ${due}, and may be ${exactDuration(graceSeconds! * 1_000)} late.`;
}

const VERIFYING: Readonly<Record<NonNullable<MonitorDto['verifying']>, string>> = {
  down: 'failing',
  up: 'recovering',
  degraded: 'slow',
};

/** Returns the change that is being confirmed: `failing, confirming (1 of 2)`; null if there is none. */
export function confirmingWords({
  status,
  verifying,
  confirming,
}: Pick<MonitorDto, 'status' | 'verifying' | 'confirming'>): string | null {
  if (verifying === null || status === 'paused') return null;
  const word = status === 'pending' && verifying === 'up' ? 'passing' : VERIFYING[verifying];
  return `${word}, confirming${confirming === null ? '' : ` (${confirming.failures} of ${confirming.needed})`}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns the retry interval that the schedule uses: that of the monitor, or by default a third of the interval, at
 * least a second.
 */
function retrySeconds({ retryIntervalSeconds, intervalSeconds }: MonitorDto): number {
  return retryIntervalSeconds === null
    ? Math.max(1, Math.round((Number(intervalSeconds) * 100) / 3) / 100)
    : Number(retryIntervalSeconds);
}

/** Returns an interval as it follows "every": `minute`, `90 seconds`, `2 hours`. */
function every(seconds: number): string {
  return exactDuration(Math.round(seconds * 1_000)).replace(/^1 /, '');
}
