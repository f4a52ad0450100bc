import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { type MonitorHits } from './monitor-search.service.js';

/** Where a page is come back to after a search, so that more can be looked for. */
const SEARCH_ID = 'monitor-search';

export interface SearchProps {
  /** What was found; null where nothing was looked for. */
  hits: MonitorHits | null;
  /** Ids of those that are chosen already. */
  chosen: ReadonlySet<string>;
  /** What is searched for, by its label. */
  label: string;
  /** Where the form goes. */
  action: string;
}

/**
 * Looks for monitors within a form: its buttons send the whole form, so that nothing that was typed is lost. At most one
 * in a form.
 */
export function MonitorSearchBox({ hits, chosen, label, action: form }: SearchProps) {
  const action = `${form}#${SEARCH_ID}`;
  return (
    <>
      <div class="search">
        <div class="field">
          <label for={SEARCH_ID}>{label}</label>
          <input
            id={SEARCH_ID}
            name="q"
            type="search"
            autocomplete="off"
            value={hits?.q ?? ''}
            data-search={`${SEARCH_ID}-go`}
          />
          <input type="hidden" name="searched" value={hits?.q ?? ''} />
        </div>
        <button
          class="button plain"
          type="submit"
          name="do"
          value="search"
          id={`${SEARCH_ID}-go`}
          formaction={action}
          formnovalidate
        >
          Search
        </button>
      </div>
      {hits && <Hits hits={hits} chosen={chosen} action={action} />}
    </>
  );
}

function Hits({ hits, chosen, action }: Pick<SearchProps, 'chosen' | 'action'> & { hits: MonitorHits }) {
  const { q, monitors, more } = hits;
  if (monitors.length === 0) return <p role="status">No monitor’s name or target contains “{q}”.</p>;
  return (
    <>
      <p class="quiet" role="status">
        {more ? `The first ${monitors.length} by name; type more to find others.` : `Found: ${monitors.length}.`}
      </p>
      <ul class="picks">
        {monitors.map(({ id, name, status }) => (
          <li key={id}>
            <span>
              <span class="state">
                <StateMark mark={statusMark(status)} />
                <span dir="auto">{name}</span>
              </span>{' '}
              <span class="quiet">{statusWord(status)}</span>
            </span>
            {chosen.has(id) ? (
              <span class="quiet">chosen</span>
            ) : (
              <button
                class="button plain small"
                type="submit"
                name="do"
                value={`add:${id}`}
                formaction={action}
                formnovalidate
              >
                Add<span class="hidden"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Stands first in an editor: what Enter presses, which is no step in the form. The service judges what is saved. */
export function EnterButton() {
  return (
    <button class="hidden" type="submit" tabIndex={-1} aria-hidden="true" formnovalidate>
      Save
    </button>
  );
}
