import { type Punctuality } from '../../../domain/heartbeat/punctuality.js';
import { duration, exactDuration } from '../../../html/time-text.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { CopyBlock } from '../html/copy.js';
import { reportLines } from './report-lines.js';

interface ReportProps {
  monitor: MonitorDto;
  /** Null for people who may not see the address. */
  pingUrl: string | null;
  punctuality: Punctuality | null;
}

/** How the job of a heartbeat monitor reports, and what follows from how it did. */
export function ReportSection({ monitor, pingUrl, punctuality }: ReportProps) {
  return (
    <section aria-labelledby="report">
      <h2 id="report">Report from your job</h2>
      {punctuality && <Advice punctuality={punctuality} monitor={monitor} />}
      {pingUrl === null ? (
        <p class="quiet">Only editors can see the address to which the job reports.</p>
      ) : (
        <>
          <p>
            The job sends a request to this address when it has succeeded. Append <code>/start</code> when it begins,{' '}
            <code>/fail</code> when it has failed, or its exit status. Whoever knows the address can report.
          </p>
          <CopyBlock id="report-url" label="address" text={pingUrl} />
          {reportLines(pingUrl, cronOf(monitor)).map(({ title, text }, index) => (
            <details key={title} class="curl">
              <summary>{title}</summary>
              <CopyBlock id={`report-${index}`} label={`lines for ${title}`} text={text} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}

/** What to change about the schedule or its grace, and why: a warning, unless the reports are better than expected. */
function Advice({ punctuality, monitor }: { punctuality: Punctuality; monitor: MonitorDto }) {
  const { reports, latestMs, betterGraceSeconds, shiftMs } = punctuality;
  const { schedule, graceSeconds } = monitor.settings as {
    schedule: { timezone: string | null };
    graceSeconds: number;
  };
  if (shiftMs !== null) {
    return (
      <p class="warning">
        The last {reports} reports arrived about {exactDuration(Math.abs(shiftMs))} {shiftMs < 0 ? 'before' : 'after'}{' '}
        they were due. Perhaps the job runs in another time zone than {schedule.timezone}.
      </p>
    );
  }
  if (betterGraceSeconds === null) return null;
  const [grace, better] = [graceSeconds, betterGraceSeconds].map((seconds) => exactDuration(seconds * 1_000));
  const late = duration(latestMs, Math.ceil);
  if (betterGraceSeconds > graceSeconds) {
    return (
      <p class="warning">
        Of the last {reports} reports, one was {late} late. A grace of {better} instead of {grace} would avoid false
        alarms.
      </p>
    );
  }
  return (
    <p>
      The last {reports} reports arrived {latestMs === 0 ? 'on time' : `at most ${late} after they were due`}. With a
      grace of {better} instead of {grace}, a missing report would be noticed sooner.
    </p>
  );
}

function cronOf({ settings }: MonitorDto): string | null {
  return (settings as { schedule?: { cron?: string | null } } | null)?.schedule?.cron ?? null;
}
