import { Empty } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { KIND_WORDS } from './incident-words.js';

const PATH = '/incidents';

/** The filters and the page of the list, as its address contains them. */
export interface ListPlace {
  [name: string]: string | undefined;
  status?: string;
  kind?: string;
  monitorId?: string;
  cursor?: string;
}

interface FiltersProps {
  place: ListPlace;
  monitor: NamedMonitor | null;
  hits: MonitorHits | null;
}

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
];
const KINDS = [
  { value: '', label: 'All' },
  { value: 'detected', label: KIND_WORDS.detected },
  { value: 'manual', label: KIND_WORDS.manual },
];

/** The filters of the list. Monitors are searched by name; the address then contains the id of the chosen one. */
export function IncidentFilters({ place, monitor, hits }: FiltersProps) {
  return (
    <>
      <form method="get" action={PATH} class="filters" role="search" aria-label="Filter incidents">
        <Select name="status" label="Status" choices={STATUSES} chosen={place.status} />
        <Select name="kind" label="Source" choices={KINDS} chosen={place.kind} />
        {monitor === null ? (
          <div class="field">
            <label for="filter-monitor">Monitor</label>
            <input id="filter-monitor" name="monitor" type="search" autocomplete="off" value={hits?.q ?? ''} />
          </div>
        ) : (
          <input type="hidden" name="monitorId" value={monitor.id} />
        )}
        <button class="button plain" type="submit">
          Apply
        </button>
      </form>
      {monitor && (
        <p>
          Only incidents of <strong dir="auto">{monitor.name ?? 'an unknown monitor'}</strong>.{' '}
          <a href={withQuery(PATH, { ...place, monitorId: undefined, cursor: undefined })}>Show all monitors</a>
        </p>
      )}
      {hits && <Hits place={place} hits={hits} />}
    </>
  );
}

interface SelectProps {
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string | undefined;
}

function Select({ name, label, choices, chosen = '' }: SelectProps) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        {choices.map(({ value, label: words }) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

function Hits({ place, hits: { q, monitors, more } }: { place: ListPlace; hits: MonitorHits }) {
  if (monitors.length === 0) return <Empty>No monitors match “{q}”.</Empty>;
  return (
    <nav aria-label="Monitors found">
      <p class="quiet">Show incidents of{more ? ` (first ${monitors.length} by name)` : ''}:</p>
      <ul class="picks">
        {monitors.map(({ id, name }) => (
          <li key={id}>
            <a href={withQuery(PATH, { ...place, cursor: undefined, monitorId: id })} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
