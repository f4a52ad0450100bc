import { includesRole } from '../../../domain/role.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { State } from '../html/state.js';
import { withQuery } from '../list-query.js';
import { FILTERS_SCRIPT } from '../monitors/assets.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { INCIDENT_STYLES } from './assets.js';
import { DrillTag } from './drill-tag.js';
import { FoundMonitors, IncidentFilters, isFiltered, type ListPlace } from './incident-filters.view.js';
import { incidentMark, isHandled, KIND_WORDS, lengthWords } from './incident-words.js';

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
  /** The numbers of open incidents of the team, whatever the filters. */
  openCount: { drills: number; others: number };
  /** Names of the monitors in the lists, by id. */
  names: ReadonlyMap<string, NamedMonitor>;
  /** The monitor to which the list is filtered, if any. */
  monitor: NamedMonitor | null;
  /** The monitors that a search has found, to filter by; null without a search. */
  hits: MonitorHits | null;
  /** All locations from which monitors are checked, to filter by. */
  locations: readonly { key: string; name: string }[];
}

const HEADINGS = { open: 'Open', resolved: 'Resolved' } as const;

/** Renders the lists of incidents, the open ones first. */
export function renderIncidents(frame: PageFrame, props: IncidentsProps): string {
  const { place, lists, hits } = props;
  return page(frame, {
    title: 'Incidents',
    section: 'Incidents',
    styles: INCIDENT_STYLES,
    scripts: [FILTERS_SCRIPT],
    action: includesRole(frame.who!.role, 'editor')
      ? { label: 'Report incident', href: `${INCIDENTS_PATH}/new` }
      : undefined,
    children: (
      <>
        <IncidentFilters {...props} />
        <div class="results lists" data-swap="results">
          {hits && <FoundMonitors place={place} hits={hits} />}
          {lists.map((list) => (
            <List key={list.status} frame={frame} list={list} {...props} />
          ))}
          <WithCurl
            id="incidents-curl"
            command={curlLine('GET', frame.origin + withQuery('/v1/incidents', { ...place, cursor: undefined }))}
          />
        </div>
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
          compact
          columns={['Incident', 'State', 'Affected monitors', 'Started', 'Duration', 'Source']}
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

function emptyWords(status: IncidentDto['status'], place: ListPlace): string {
  const { status: _, ...others } = place;
  if (isFiltered(others)) return `No ${status} incidents match these filters.`;
  return status === 'open'
    ? 'No open incidents. One opens automatically when checks confirm that a monitor is down. You can also report problems that checks cannot detect.'
    : 'No resolved incidents yet.';
}

function cellsOf(incident: IncidentDto, names: IncidentsProps['names'], nowMs: number) {
  const { id, title, monitorIds, startedAt, kind } = incident;
  const [first, ...others] = monitorIds;
  return [
    <>
      <a href={`${INCIDENTS_PATH}/${id}`} dir="auto">
        {title}
      </a>
      {kind === 'drill' && <DrillTag />}
      <Reason incident={incident} />
    </>,
    <Standing incident={incident} nowMs={nowMs} />,
    <span class="affected">
      <MonitorLinks
        monitors={first === undefined ? [] : [names.get(first) ?? { id: first, name: null }]}
        none="a deleted monitor"
      />
      {others.length > 0 && <span class="quiet"> and {others.length} more</span>}
    </span>,
    <RelativeTime at={startedAt} nowMs={nowMs} />,
    lengthWords(incident, nowMs),
    KIND_WORDS[kind],
  ];
}

/** The cause of an open incident. */
function Reason({ incident: { cause, status } }: { incident: IncidentDto }) {
  if (status === 'resolved' || !cause?.message) return null;
  return (
    <span class="quiet reason target" dir="auto" title={cause.message}>
      {cause.message}
    </span>
  );
}

function Standing({ incident, nowMs }: { incident: IncidentDto; nowMs: number }) {
  const { mark, word } = incidentMark(incident);
  const { parentIncidentId } = incident;
  return (
    <>
      <State mark={mark} word={word} />
      {isHandled(incident, nowMs) && <span class="quiet"> acknowledged</span>}
      {parentIncidentId !== null && <span class="quiet"> caused by another incident</span>}
    </>
  );
}
