import { includesRole } from '../../../domain/role.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { State } from '../html/state.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { IncidentFilters, type ListPlace } from './incident-filters.view.js';
import { incidentMark, KIND_WORDS, lengthWords } from './incident-words.js';

export const INCIDENTS_PATH = '/incidents';

/** One of the lists of the page: incidents of the same status. */
export interface IncidentList {
  status: IncidentDto['status'];
  incidents: readonly IncidentDto[];
  nextCursor: string | null;
}

export interface IncidentsProps {
  place: ListPlace;
  lists: readonly IncidentList[];
  /** Names of the monitors in the lists, by id. */
  names: ReadonlyMap<string, NamedMonitor>;
  /** The monitor to which the list is filtered, if any. */
  monitor: NamedMonitor | null;
  /** The monitors that a search has found, to filter by; null without a search. */
  hits: MonitorHits | null;
}

const HEADINGS = { open: 'Open', resolved: 'Resolved' } as const;

/** Renders the lists of incidents, the open ones first. */
export function renderIncidents(frame: PageFrame, props: IncidentsProps): string {
  const { place, lists } = props;
  return page(frame, {
    title: 'Incidents',
    section: 'Incidents',
    action: includesRole(frame.who!.role, 'editor')
      ? { label: 'Report an incident', href: `${INCIDENTS_PATH}/new` }
      : undefined,
    children: (
      <>
        <p class="lead">
          What went wrong, when and why. Checks open and close incidents by themselves; what they cannot see, you report
          for your status pages.
        </p>
        <IncidentFilters {...props} />
        {lists.map((list) => (
          <List key={list.status} frame={frame} list={list} {...props} />
        ))}
        <WithCurl
          id="incidents-curl"
          command={curlLine('GET', frame.origin + withQuery('/v1/incidents', { ...place, cursor: undefined }))}
        />
      </>
    ),
  });
}

function List({ frame, list, place, names }: IncidentsProps & { frame: PageFrame; list: IncidentList }) {
  const { status, incidents, nextCursor } = list;
  const older = withQuery(INCIDENTS_PATH, { ...place, status, cursor: nextCursor });
  return (
    <section aria-labelledby={`list-${status}`}>
      <h2 id={`list-${status}`}>{HEADINGS[status]}</h2>
      {incidents.length === 0 ? (
        <Empty>{emptyWords(status, place)}</Empty>
      ) : (
        <Table
          caption={`${HEADINGS[status]} incidents`}
          columns={['Incident', 'State', 'About', 'Began', 'Lasted', 'How known']}
          rows={incidents.map((incident) => ({ key: incident.id, cells: cellsOf(incident, names, frame.nowMs) }))}
        />
      )}
      {nextCursor !== null && (
        <p>
          <a href={older}>Older {status} incidents</a>
        </p>
      )}
    </section>
  );
}

function emptyWords(status: IncidentDto['status'], { kind, monitorId, cursor }: ListPlace): string {
  if (kind || monitorId || cursor) return `There is no ${status} incident of this kind.`;
  return status === 'open'
    ? 'Nothing is wrong that we know of. An incident opens by itself when checks confirm that a monitor is down.'
    : 'No incident has been resolved yet.';
}

function cellsOf(incident: IncidentDto, names: IncidentsProps['names'], nowMs: number) {
  const { id, title, monitorIds, startedAt, resolvedAt, kind, acknowledgedAt, parentIncidentId } = incident;
  const { mark, word } = incidentMark(incident);
  const [first, ...others] = monitorIds;
  return [
    <a href={`${INCIDENTS_PATH}/${id}`} dir="auto">
      {title}
    </a>,
    <>
      <State mark={mark} word={word} />
      {acknowledgedAt !== null && resolvedAt === null && <span class="quiet"> acknowledged</span>}
      {parentIncidentId !== null && <span class="quiet"> follows from another</span>}
    </>,
    <>
      <span dir="auto">{first === undefined ? 'no monitor any more' : (names.get(first)?.name ?? 'a monitor')}</span>
      {others.length > 0 && <span class="quiet"> and {others.length} more</span>}
    </>,
    <RelativeTime at={startedAt} nowMs={nowMs} />,
    lengthWords(incident, nowMs),
    KIND_WORDS[kind],
  ];
}
