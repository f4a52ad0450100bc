import { type ComponentChildren } from 'preact';
import { PROBES } from '../../../probes/index.js';
import { type ListMonitorsQuery, MONITOR_SORTS } from '../../monitors/dto/list-monitors.query.js';
import { type TagCount } from '../../monitors/monitors.service.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { StateChips } from './list-counts.js';
import { DEFAULT_SORT, isFiltered, LIST_PATH, listPath, NOTIFIED_WORDS, SORT_WORDS, tagField } from './list-query.js';
import { typeWord } from './shown-monitor.js';

interface ListFiltersProps {
  query: ListMonitorsQuery;
  counts: MonitorCounts;
  tags: readonly TagCount[];
}

/**
 * The filters and the order of the list, which become part of its address. The script applies them as they change; without
 * it, a button does.
 */
export function ListFilters({ query, counts, tags }: ListFiltersProps) {
  return (
    <form method="get" action={LIST_PATH} class="list-filters" role="search" aria-label="Monitors" data-filters>
      <label class="hidden" for="filter-q">
        Search by name or target
      </label>
      <input
        id="filter-q"
        name="q"
        type="search"
        maxLength={200}
        placeholder="Search"
        autocomplete="off"
        value={query.q ?? ''}
        data-hotkey="/"
      />
      <div data-swap="chips" class="list-chips">
        <StateChips query={query} counts={counts} />
        {/* The other fields must not reset the chosen states. */}
        {query.status?.map((status) => (
          <input key={status} type="hidden" name="status" value={status} />
        ))}
        {isFiltered(query) && (
          <a class="chip" href={listPath({ sort: query.sort })}>
            Clear filters
          </a>
        )}
      </div>
      <details class="fold" open={isFiltered(query)}>
        <summary class="button plain">Filters</summary>
        <div class="list-choices">
          <Choice name="tag" label="Tag">
            <option value="">Any tag</option>
            {tagChoices(query.tag ?? [], tags).map(({ value, words }) => (
              <option key={value} value={value} selected={value === fieldOf(query.tag ?? [])}>
                {words}
              </option>
            ))}
          </Choice>
          <Choice name="type" label="Type">
            <option value="">Any type</option>
            {PROBES.map(({ type }) => (
              <option key={type} value={type} selected={type === query.type}>
                {typeWord(type)}
              </option>
            ))}
          </Choice>
          <Choice name="notified" label="Notified">
            <option value="">Any notification</option>
            <option value="true" selected={query.notified === true}>
              {NOTIFIED_WORDS.true}
            </option>
            <option value="false" selected={query.notified === false}>
              {NOTIFIED_WORDS.false}
            </option>
          </Choice>
          <Choice name="sort" label="Sort by">
            {MONITOR_SORTS.toReversed().map((sort) => (
              <option key={sort} value={sort === DEFAULT_SORT ? '' : sort} selected={sort === query.sort}>
                {SORT_WORDS[sort]}
              </option>
            ))}
          </Choice>
          <button class="button plain" type="submit" data-without-script>
            Apply
          </button>
        </div>
      </details>
    </form>
  );
}

function Choice({ name, label, children }: { name: string; label: string; children: ComponentChildren }) {
  return (
    <>
      <label class="hidden" for={`filter-${name}`}>
        {label}
      </label>
      <select id={`filter-${name}`} name={name}>
        {children}
      </select>
    </>
  );
}

/** Returns the content of the field for these tags. */
function fieldOf(tags: readonly string[]): string {
  return tags.map(tagField).join(',');
}

/** Returns the tags to choose from, with their counts. An address may require several tags, which are one more choice. */
function tagChoices(chosen: readonly string[], tags: readonly TagCount[]): { value: string; words: string }[] {
  const choices = tags.map(({ tag, count }) => ({
    value: tagField(tag),
    words: `${tag} (${count.toLocaleString('en')})`,
  }));
  const value = fieldOf(chosen);
  if (chosen.length === 0 || choices.some((choice) => choice.value === value)) return choices;
  return [{ value, words: chosen.join(' + ') }, ...choices];
}
