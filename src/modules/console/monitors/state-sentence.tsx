import { Ago, Time } from '../html/time.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';

/** The beginning of a sentence about each state, which continues with `since`. */
const BEGINNINGS: Readonly<Record<MonitorDto['status'], string>> = {
  pending: 'Waiting for the first result',
  up: 'Up',
  degraded: 'Slow or degraded',
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
  const { status, verifying, pauseReason } = monitor;
  if (status === 'paused') return pauseReason === null ? 'Checks are paused.' : `Checks are paused: ${pauseReason}`;
  if (verifying !== null) return `${VERIFYING[verifying]} Re-checking every ${seconds(retrySeconds(monitor))}.`;
  if (status === 'unknown') return 'No results are arriving. This time does not count as up.';
  return `Checked every ${seconds(Number(monitor.intervalSeconds))}.`;
}

const VERIFYING: Readonly<Record<NonNullable<MonitorDto['verifying']>, string>> = {
  down: 'The latest check failed; confirming.',
  up: 'The latest check passed; confirming.',
  degraded: 'The latest check was slow; confirming.',
};

/**
 * Returns the retry interval that the schedule uses: that of the monitor, or by default a third of the interval, at
 * least a second.
 */
function retrySeconds({ retryIntervalSeconds, intervalSeconds }: MonitorDto): number {
  return retryIntervalSeconds === null
    ? Math.max(1, Math.round((Number(intervalSeconds) * 100) / 3) / 100)
    : Number(retryIntervalSeconds);
}

function seconds(count: number): string {
  if (count > 60 && count % 60 === 0) return `${count / 60} minutes`;
  return count === 1 ? 'second' : `${count} s`;
}
