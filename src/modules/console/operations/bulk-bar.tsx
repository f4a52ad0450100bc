import { type ListMonitorsQuery } from '../../monitors/dto/list-monitors.query.js';
import { FORM_TOKEN_FIELD } from '../../../http/body/form-token.interceptor.js';
import { Icon } from '../html/icon.js';
import { LIST_PATH, listPath } from '../monitors/list-query.js';
import { DURATION_CHOICES, PAUSE_DEFAULTS } from '../monitors/pause-form.js';
import { type PageFrame } from '../page-frame.js';
import { BULK_FORM_ID } from './bulk-form.js';

interface BulkBarProps {
  frame: PageFrame;
  query: ListMonitorsQuery;
  /** The number of monitors that match the query. */
  total: number;
  /** Whether the page shows only some of them. */
  hasMore: boolean;
}

/** The actions on the selected monitors. Style sheets show it once something is selected. */
export function BulkBar({ frame, query, total, hasMore }: BulkBarProps) {
  const search = listPath(query).slice(LIST_PATH.length + 1);
  return (
    <form
      method="post"
      action="/monitors/bulk"
      id={BULK_FORM_ID}
      class="bulk"
      aria-label="Actions on selected monitors"
    >
      <input type="hidden" name={FORM_TOKEN_FIELD} value={frame.who!.formToken} />
      <input type="hidden" name="query" value={search} />
      {/* Enter in the field for tags presses the first button. */}
      <button class="hidden" type="submit" name="action" value="addTags" tabIndex={-1} aria-hidden="true">
        Add tags
      </button>
      <span class="bulk-count" data-selected aria-live="polite">
        Selected
      </span>
      {hasMore && (
        <label class="chip">
          <input type="checkbox" name="all" data-select-matching />
          Select all {total.toLocaleString('en')} matching
        </label>
      )}
      <span class="buttons">
        <Action action="check" icon="refresh-cw" label="Check now" />
        <span class="bulk-pause">
          <Action action="pause" icon="pause" label="Pause" />
          <label class="hidden" for="bulk-duration">
            Duration of the pause
          </label>
          <select id="bulk-duration" name="durationSeconds">
            {DURATION_CHOICES.map(({ value, label }) => (
              <option key={value} value={value} selected={value === PAUSE_DEFAULTS.durationSeconds}>
                {label}
              </option>
            ))}
          </select>
        </span>
        <Action action="resume" icon="play" label="Resume" />
        <label class="hidden" for="bulk-tags">
          Tags
        </label>
        <input id="bulk-tags" name="tags" placeholder="Tags, comma-separated" autocomplete="off" />
        <Action action="addTags" icon="tag" label="Add tags" />
        <Action action="removeTags" icon="x" label="Remove tags" />
        <Action action="delete" icon="trash" label="Delete" />
      </span>
    </form>
  );
}

interface ActionProps {
  action: string;
  icon: Parameters<typeof Icon>[0]['name'];
  label: string;
}

function Action({ action, icon, label }: ActionProps) {
  return (
    <button type="submit" name="action" value={action} class="button plain small">
      <Icon name={icon} />
      {label}
    </button>
  );
}
