import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { CopyBlock } from '../html/copy.js';
import { reportLines } from './report-lines.js';

/** How the job of a heartbeat monitor reports. `pingUrl` is null for people who may not see the address. */
export function ReportSection({ monitor, pingUrl }: { monitor: MonitorDto; pingUrl: string | null }) {
  return (
    <section aria-labelledby="report">
      <h2 id="report">Report from your job</h2>
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

function cronOf({ settings }: MonitorDto): string | null {
  return (settings as { schedule?: { cron?: string | null } } | null)?.schedule?.cron ?? null;
}
