import { counted } from '../../../html/counted.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { Buttons } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { LIST_PATH } from '../monitors/list-query.js';
import { filterWords, returnPath, shownQuery } from './bulk-form.js';

const TRAIL = [{ label: 'Monitors', href: LIST_PATH }];

/**
 * Renders the page that asks before monitors are deleted. Its form contains their number, because others may match the
 * filters by the time it is sent.
 * @param count the number of selected monitors; if the form was confirmed for another number, the page points that out
 */
export function renderBulkDelete(frame: PageFrame, form: FormFields, count: number): string {
  const isAll = form.has('all');
  const which = counted(count.toLocaleString('en'), 'monitor');
  return page(frame, {
    title: `Delete ${which}?`,
    section: 'Monitors',
    trail: TRAIL,
    children: (
      <Form frame={frame} action="/monitors/bulk">
        {form.has('confirmed') && (
          <div class="summary" role="alert">
            <p>The number of matching monitors has changed. Nothing has been deleted yet.</p>
          </div>
        )}
        {isAll && <Filters form={form} />}
        <p>
          This deletes their checks and uptime history and removes them from status pages. Their incidents are kept.
          This cannot be undone. To stop checking temporarily, pause them instead.
        </p>
        <input type="hidden" name="action" value="delete" />
        <input type="hidden" name="confirmed" value={count} />
        <input type="hidden" name="query" value={form.text('query')} />
        {isAll ? (
          <input type="hidden" name="all" value="on" />
        ) : (
          form.texts('id').map((id) => <input key={id} type="hidden" name="id" value={id} />)
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

/** The filters that select the monitors. */
function Filters({ form }: { form: FormFields }) {
  const filters = filterWords(shownQuery(form));
  if (filters.length === 0) return <p>These are all monitors of the team.</p>;
  return (
    <>
      <p>These are all monitors that match the filters of the list:</p>
      <dl class="facts">
        {filters.map(([name, words]) => (
          <>
            <dt>{name}</dt>
            <dd dir="auto">{words}</dd>
          </>
        ))}
      </dl>
    </>
  );
}

/** Renders why an action on selected monitors was refused. */
export function renderBulkRefused(frame: PageFrame, form: FormFields, refusal: ProblemException): string {
  const details = refusal.errors?.length ? refusal.errors.map(({ detail }) => detail) : [refusal.detail];
  const isUnselected = !form.has('all') && form.texts('id').length === 0;
  return renderUnchanged(frame, form, isUnselected ? ['Select at least one monitor.'] : details);
}

/** Renders that there is nothing to delete. */
export function renderNoneMatch(frame: PageFrame, form: FormFields): string {
  return renderUnchanged(frame, form, ['No monitors match the filters of the list any longer.']);
}

function renderUnchanged(frame: PageFrame, form: FormFields, reasons: readonly string[]): string {
  return page(frame, {
    title: 'Nothing was changed',
    section: 'Monitors',
    trail: TRAIL,
    children: (
      <>
        <div class="summary" role="alert">
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
        <p>
          <a href={returnPath(form)}>Back to the list</a>
        </p>
      </>
    ),
  });
}
