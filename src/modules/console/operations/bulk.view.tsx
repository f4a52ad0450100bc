import { type FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { Buttons } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { LIST_PATH } from '../monitors/list-query.js';
import { returnPath } from './bulk-form.js';

const TRAIL = [{ label: 'Monitors', href: LIST_PATH }];

/** Renders the page that asks before monitors are deleted. */
export function renderBulkDelete(frame: PageFrame, form: FormFields): string {
  const ids = form.texts('id');
  const isAll = form.has('all');
  const which = isAll ? 'all matching monitors' : ids.length === 1 ? '1 monitor' : `${ids.length} monitors`;
  return page(frame, {
    title: `Delete ${which}?`,
    section: 'Monitors',
    trail: TRAIL,
    children: (
      <Form frame={frame} action="/monitors/bulk">
        <p>
          This deletes their checks and uptime history and removes them from status pages. Their incidents are kept.
          This cannot be undone. To stop checking temporarily, pause them instead.
        </p>
        <input type="hidden" name="action" value="delete" />
        <input type="hidden" name="confirmed" value="on" />
        <input type="hidden" name="query" value={form.text('query')} />
        {isAll ? (
          <input type="hidden" name="all" value="on" />
        ) : (
          ids.map((id) => <input key={id} type="hidden" name="id" value={id} />)
        )}
        <Buttons>
          <button class="button danger" type="submit">
            Delete {which}
          </button>
          <a href={returnPath(form)}>Cancel</a>
        </Buttons>
      </Form>
    ),
  });
}

/** Renders why an action on selected monitors was refused. */
export function renderBulkRefused(frame: PageFrame, form: FormFields, refusal: ProblemException): string {
  const details = refusal.errors?.length ? refusal.errors.map(({ detail }) => detail) : [refusal.detail];
  const isUnselected = !form.has('all') && form.texts('id').length === 0;
  return page(frame, {
    title: 'Nothing was changed',
    section: 'Monitors',
    trail: TRAIL,
    children: (
      <>
        <div class="summary" role="alert">
          {isUnselected ? <p>Select at least one monitor.</p> : details.map((detail) => <p key={detail}>{detail}</p>)}
        </div>
        <p>
          <a href={returnPath(form)}>Back to the list</a>
        </p>
      </>
    ),
  });
}
