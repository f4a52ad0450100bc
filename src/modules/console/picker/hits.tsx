import { type ComponentChildren } from 'preact';
import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { Icon } from '../html/icon.js';
import { type MonitorHits } from './monitor-search.service.js';
import { PICK_FIELD, SHOWN_FIELD } from './picked-ids.js';

/** The fragment to which a search returns, so that people can search again. */
const SEARCH_ID = 'monitor-search';

export interface SearchProps {
  /** The monitors to choose from; null if none are offered yet. */
  hits: MonitorHits | null;
  /** Ids of the monitors that are already chosen. */
  chosen: ReadonlySet<string>;
  /** The label of the search field. */
  label: string;
  /** Whether to show the search although monitors have been chosen. */
  isOpen: boolean;
  /** The path to which the form is sent. */
  action: string;
  /** Further ways to add monitors. */
  children?: ComponentChildren;
}

/**
 * A picker of monitors within a form: a search, and checkboxes for what it has found. Its buttons send the whole form, so
 * that no input is lost, and any button that sends the form adds the ticked monitors. At most one per form. It is open
 * until monitors have been chosen. The script replaces its parts if it is within an element with `data-in-place`.
 */
export function MonitorSearchBox({ hits, chosen, label, isOpen, action: form, children }: SearchProps) {
  const action = `${form}#${SEARCH_ID}`;
  const q = hits?.q ?? '';
  return (
    <details class="picker" open={isOpen || chosen.size === 0 || q !== ''}>
      <summary class="button plain small">
        <Icon name="plus" />
        Add monitors
      </summary>
      <div class="search">
        <div class="field">
          <label for={SEARCH_ID}>{label}</label>
          <input
            id={SEARCH_ID}
            name="q"
            type="search"
            autocomplete="off"
            placeholder="Name or target"
            value={q}
            data-search={`${SEARCH_ID}-go`}
          />
        </div>
        <StepButton value="search" to={action} id={`${SEARCH_ID}-go`}>
          Search
        </StepButton>
        {children}
      </div>
      <div class="hits" data-swap="hits">
        <input type="hidden" name="searched" value={q} />
        {hits && <Hits hits={hits} chosen={chosen} action={action} />}
      </div>
    </details>
  );
}

function Hits({ hits, chosen, action }: Pick<SearchProps, 'chosen' | 'action'> & { hits: MonitorHits }) {
  const { q, monitors, more } = hits;
  if (monitors.length === 0) {
    return <p role="status">{q === '' ? 'This team has no monitors yet.' : `No monitors match “${q}”.`}</p>;
  }
  const free = monitors.filter(({ id }) => !chosen.has(id));
  return (
    <>
      <p class="quiet" role="status">
        {more && `Showing the first ${monitors.length} by name. Search to find others. `}
        {!more && q !== '' && `${monitors.length} found.`}
      </p>
      <ul class="picks">
        {monitors.map(({ id, name, status }) => (
          <li key={id}>
            <label class="pick">
              <input type="checkbox" name={PICK_FIELD} value={id} disabled={chosen.has(id)} checked={chosen.has(id)} />
              <StateMark mark={statusMark(status)} />
              <span dir="auto">{name}</span>
            </label>
            <span class="quiet">{chosen.has(id) ? 'Added' : statusWord(status)}</span>
          </li>
        ))}
      </ul>
      {free.length > 0 && (
        <div class="buttons">
          <input type="hidden" name={SHOWN_FIELD} value={free.map(({ id }) => id).join()} />
          <StepButton value="add" to={action}>
            Add selected
          </StepButton>
          {free.length > 1 && (
            <StepButton value="add-shown" to={action}>
              Add all {free.length} shown
            </StepButton>
          )}
        </div>
      )}
    </>
  );
}

/** A button for a step within a form. It sends the form unvalidated, because nothing is saved. */
export function StepButton({
  value,
  to,
  id,
  children,
}: {
  value: string;
  to: string;
  id?: string;
  children: ComponentChildren;
}) {
  return (
    <button class="button plain" type="submit" name="do" value={value} id={id} formaction={to} formnovalidate>
      {children}
    </button>
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
