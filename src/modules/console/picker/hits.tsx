import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { type MonitorHits } from './monitor-search.service.js';

/** The fragment to which a search returns, so that people can search again. */
const SEARCH_ID = 'monitor-search';

export interface SearchProps {
  /** The result of the search; null if there was none. */
  hits: MonitorHits | null;
  /** Ids of the monitors that are already chosen. */
  chosen: ReadonlySet<string>;
  /** The label of the search field. */
  label: string;
  /** The path to which the form is sent. */
  action: string;
}

/**
 * A search for monitors within a form. Its buttons send the whole form, so that no input is lost. At most one per form.
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
  if (monitors.length === 0) return <p role="status">No monitors match “{q}”.</p>;
  return (
    <>
      <p class="quiet" role="status">
        {more ? `The first ${monitors.length} by name. Refine the search to find others.` : `${monitors.length} found.`}
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
              <span class="quiet">selected</span>
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

/**
 * The first button of an editor, which Enter presses. It requests no step within the form, and skips the browser's
 * validation because the service validates what is saved.
 */
export function EnterButton() {
  return (
    <button class="hidden" type="submit" tabIndex={-1} aria-hidden="true" formnovalidate>
      Save
    </button>
  );
}
