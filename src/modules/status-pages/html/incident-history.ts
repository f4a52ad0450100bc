import { DAY_MS } from '../../../domain/durations.js';
import { type Clock } from '../../../html/time-text.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { INCIDENT_DAYS, MAX_INCIDENTS, type PublicPage } from '../public-page.types.js';

/** A day, or consecutive days without incidents, as `YYYY-MM-DD` in the time zone of the page. */
export interface HistoryDays {
  first: string;
  last: string;
  /** Resolved incidents that began on the day; on the first day, also those that began earlier. */
  began: PublicIncidentDto[];
  /** Incidents that are shown elsewhere: open ones, and those that continued from an earlier day. */
  alsoThen: PublicIncidentDto[];
}

/**
 * Returns the incidents of the past days by day, newest first. Starts at the creation of the page, and only as far back
 * as the list of incidents is complete: earlier days must not appear as free of incidents.
 */
export function incidentHistory({ createdAt, view }: PublicPage, clock: Clock): HistoryDays[] {
  const { incidents } = view;
  const nowMs = Date.parse(view.computedAt);
  const today = clock.date(nowMs);
  const stretches = incidents.map((incident) => ({
    incident,
    from: clock.date(Date.parse(incident.startedAt)),
    to: incident.resolvedAt === null ? today : clock.date(Date.parse(incident.resolvedAt)),
  }));
  const oldest = firstDay(createdAt, incidents, nowMs, clock);
  const days: HistoryDays[] = [];
  for (let day = today; day >= oldest; day = dayBefore(day)) {
    const here = stretches.filter(({ from, to }) => from <= day && to >= day);
    const begins = ({ from }: { from: string }): boolean => from === day || (day === oldest && from < day);
    const began = here.filter((one) => one.incident.status === 'resolved' && begins(one)).map((one) => one.incident);
    const alsoThen = here.filter((one) => !began.includes(one.incident)).map((one) => one.incident);
    const newer = days.at(-1);
    const isCalm = began.length + alsoThen.length === 0;
    if (isCalm && newer && newer.began.length + newer.alsoThen.length === 0) newer.first = day;
    else days.push({ first: day, last: day, began, alsoThen });
  }
  return days;
}

function firstDay(createdAt: Date, incidents: readonly PublicIncidentDto[], nowMs: number, clock: Clock): string {
  const since = clock.date(Math.max(createdAt.getTime(), nowMs - (INCIDENT_DAYS - 1) * DAY_MS));
  // A full list omits resolved incidents before open ones, so it is complete as far back as its oldest resolved one.
  const oldest = incidents.findLast(({ status }) => status === 'resolved');
  const complete = incidents.length < MAX_INCIDENTS ? since : clock.date(oldest ? Date.parse(oldest.startedAt) : nowMs);
  // A resolved incident is included, even if it is older than the page.
  const ended = incidents.flatMap(({ resolvedAt }) => (resolvedAt === null ? [] : clock.date(Date.parse(resolvedAt))));
  return [complete > since ? complete : since, ...ended].sort()[0]!;
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}
