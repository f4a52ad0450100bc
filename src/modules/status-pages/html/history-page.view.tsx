import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { MAX_IN_MONTH } from '../public-page.types.js';
import { clockOf, type FrameContext, framed } from './frame.js';
import { IncidentList } from './incident-list.js';
import { MaintenanceList } from './maintenance-list.js';

/** What a month of the history shows, latest first. */
export interface MonthHistory {
  incidents: PublicIncidentDto[];
  maintenance: PublicMaintenanceDto[];
}

export interface HistoryProps extends MonthHistory {
  /** In the form `2026-01`, like the months next to it; those are null at the ends of the history. */
  month: string;
  previous: string | null;
  next: string | null;
}

const utcMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns `January 2026` for `2026-01`. */
function monthText(month: string): string {
  return utcMonth.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** Renders the incidents and the completed maintenance of a month. */
export function renderHistoryPage(context: FrameContext, props: HistoryProps): string {
  const { page, address } = context;
  const { view } = page;
  const { month, previous, next, incidents, maintenance } = props;
  const [clock, nowMs, text] = [clockOf(view), Date.parse(view.computedAt), monthText(month)];
  const link = (other: string, rel: 'prev' | 'next') => (
    <a href={address.historyOf(other)} rel={rel}>
      {rel === 'prev' ? '← ' : ''}
      {monthText(other)}
      {rel === 'next' ? ' →' : ''}
    </a>
  );
  return framed(context, {
    title: `Incident history, ${text} · ${view.name}`,
    description: `Incidents and maintenance in ${text}.`,
    icon: 'unknown',
    path: address.historyOf(month),
    children: (
      <>
        <div class="row">
          <h2>{text}</h2>
          <nav class="months" aria-label="Months">
            {previous && link(previous, 'prev')}
            {next && link(next, 'next')}
          </nav>
        </div>
        {incidents.length === 0 && <p class="quiet none">No incidents in {text}.</p>}
        <IncidentList heading="Incidents" {...{ incidents, components: view.components, address, clock, nowMs }} />
        <MaintenanceList
          heading="Completed maintenance"
          isOver
          {...{ maintenance, components: view.components, clock }}
        />
        {Math.max(incidents.length, maintenance.length) === MAX_IN_MONTH && (
          <p class="quiet none">
            Only the latest {MAX_IN_MONTH} incidents and {MAX_IN_MONTH} maintenance periods are shown.
          </p>
        )}
      </>
    ),
  });
}
