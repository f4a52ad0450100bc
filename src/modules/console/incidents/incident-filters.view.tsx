import { type ComponentChildren } from 'preact';
import { type Mark } from '../../../html/marks.js';
import { StateMark } from '../../../html/state-mark.js';
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
  location?: string;
  cursor?: string;
}

interface FiltersProps {
  place: ListPlace;
  openCount: { drills: number; others: number };
  monitor: NamedMonitor | null;
  hits: MonitorHits | null;
  /** All locations from which monitors are checked. */
  locations: readonly { key: string; name: string }[];
}

export function isFiltered({ status, kind, monitorId, location, cursor }: ListPlace): boolean {
  return [status, kind, monitorId, location, cursor].some((one) => one !== undefined && one !== '');
}

/**
 * The filters of the list, which become part of its address. Monitors are searched by name; the address then contains
 * the id of the chosen one. The script applies filters as they change; without it, a button does.
 */
export function IncidentFilters({ place, openCount, monitor, hits, locations }: FiltersProps) {
  const { status, kind, monitorId, location } = place;
  return (
    <form method="get" action={PATH} class="list-filters" role="search" aria-label="Incidents" data-filters>
      <label class="hidden" for="filter-monitor">
        Search monitors by name or target
      </label>
      <input
        id="filter-monitor"
        name="monitor"
        type="search"
        maxLength={200}
        placeholder="Search monitors"
        autocomplete="off"
        value={hits?.q ?? ''}
        data-hotkey="/"
      />
      <div data-swap="chips" class="list-chips">
        <ul class="chips" aria-label="Incidents by status">
          <StatusChip place={place} status="open" mark={openCount.others > 0 ? 'down' : 'unknown'}>
            <strong>{(openCount.others + openCount.drills).toLocaleString('en')}</strong> Open
          </StatusChip>
          <StatusChip place={place} status="resolved" mark="up">
            Resolved
          </StatusChip>
          {monitorId !== undefined && (
            <li>
              <a class="chip" aria-current="true" href={narrowed(place, { monitorId: undefined })}>
                <span class="name" dir="auto">
                  {monitor?.name ?? 'Unknown monitor'}
                </span>
                <span aria-hidden="true">×</span>
                <span class="hidden">Show all monitors</span>
              </a>
            </li>
          )}
        </ul>
        {/* The other fields must not reset what the chips have chosen. */}
        {status !== undefined && <input type="hidden" name="status" value={status} />}
        {monitorId !== undefined && <input type="hidden" name="monitorId" value={monitorId} />}
        {isFiltered(place) && (
          <a class="chip" href={PATH}>
            Clear filters
          </a>
        )}
      </div>
      <div class="list-choices">
        <label class="hidden" for="filter-kind">
          Source
        </label>
        <select id="filter-kind" name="kind">
          <option value="">Any source</option>
          {(['detected', 'manual', 'drill'] as const).map((value) => (
            <option key={value} value={value} selected={value === kind}>
              {KIND_WORDS[value]}
            </option>
          ))}
        </select>
        {(locations.length > 1 || location !== undefined) && (
          <>
            <label class="hidden" for="filter-location">
              Location that was down
            </label>
            <select id="filter-location" name="location">
              <option value="">Any location</option>
              {locations.map(({ key, name }) => (
                <option key={key} value={key} selected={key === location}>
                  Down at {name}
                </option>
              ))}
            </select>
          </>
        )}
        <button class="button plain" type="submit" data-without-script>
          Apply
        </button>
      </div>
    </form>
  );
}

interface StatusChipProps {
  place: ListPlace;
  status: 'open' | 'resolved';
  mark: Mark;
  children: ComponentChildren;
}

/** A link that shows only the incidents with this status, or all again. */
function StatusChip({ place, status, mark, children }: StatusChipProps) {
  const isChosen = place.status === status;
  return (
    <li>
      <a
        class="chip"
        href={narrowed(place, { status: isChosen ? undefined : status })}
        aria-current={isChosen ? 'true' : undefined}
      >
        <StateMark mark={mark} />
        <span>{children}</span>
      </a>
    </li>
  );
}

const narrowed = (place: ListPlace, changes: ListPlace): string =>
  withQuery(PATH, { ...place, cursor: undefined, ...changes });

/** The monitors that a search has found; each link shows the incidents of one of them. */
export function FoundMonitors({ place, hits: { q, monitors, more } }: { place: ListPlace; hits: MonitorHits }) {
  if (monitors.length === 0) return <Empty>No monitors match “{q}”.</Empty>;
  return (
    <nav aria-label="Monitors found">
      <p class="quiet">Show incidents of{more ? ` (first ${monitors.length} by name)` : ''}:</p>
      <ul class="picks">
        {monitors.map(({ id, name }) => (
          <li key={id}>
            <a href={narrowed(place, { monitorId: id })} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
