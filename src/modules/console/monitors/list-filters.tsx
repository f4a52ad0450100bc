import { statusWord } from '../../../html/status-words.js';
import { PROBES } from '../../../probes/index.js';
import { type ListMonitorsQuery, MONITOR_SORTS } from '../../monitors/dto/list-monitors.query.js';
import { MONITOR_STATUSES } from '../../monitors/dto/monitor.dto.js';
import { DEFAULT_SORT, isFiltered, SORT_WORDS } from './list-query.js';
import { typeWord } from './shown-monitor.js';

/** The filters and the order of the list, which become part of its address. */
export function ListFilters({ query }: { query: ListMonitorsQuery }) {
  return (
    <form method="get" action="/" class="filters" role="search" aria-label="Monitors">
      <div class="field grow">
        <label for="filter-q">Search</label>
        <input id="filter-q" name="q" type="search" maxLength={200} value={query.q ?? ''} />
      </div>
      <div class="field">
        <label for="filter-type">Type</label>
        <select id="filter-type" name="type">
          <option value="">Any</option>
          {PROBES.map(({ type }) => (
            <option key={type} value={type} selected={type === query.type}>
              {typeWord(type)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="filter-tag">Tags</label>
        <input id="filter-tag" name="tag" value={(query.tag ?? []).join(', ')} />
      </div>
      <div class="field">
        <label for="filter-sort">Sort by</label>
        <select id="filter-sort" name="sort">
          {MONITOR_SORTS.toReversed().map((sort) => (
            <option key={sort} value={sort} selected={sort === (query.sort ?? DEFAULT_SORT)}>
              {SORT_WORDS[sort]}
            </option>
          ))}
        </select>
      </div>
      <fieldset class="field states">
        <legend>State</legend>
        <div class="chips">
          {MONITOR_STATUSES.map((status) => (
            <label key={status} class="choice">
              <input
                type="checkbox"
                name="status"
                value={status}
                checked={query.status?.includes(status) ? true : undefined}
              />
              <span>{statusWord(status)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="buttons">
        <button class="button plain" type="submit">
          Apply
        </button>
        {isFiltered(query) && <a href="/">Clear</a>}
      </div>
    </form>
  );
}
