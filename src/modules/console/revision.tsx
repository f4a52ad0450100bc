import { type FormFields } from '../../http/body/form-fields.js';
import { type IfMatch, ifMatchOf } from '../../http/items/if-match.decorator.js';
import { type FormState } from './form-state.js';

const FIELD = 'revision';

/** Returns the condition that the item to change has not been modified since the page of the form was opened. */
export function asOpened(form: FormFields): IfMatch {
  // Only the revision of the tag is compared, so that changes by checks do not cause conflicts.
  return ifMatchOf({ 'if-match': `"${form.text(FIELD)}.0"` });
}

/** The hidden field with the revision and, after a conflict with another change, a hint how to resolve it. */
export function Revision({ form, revision, stored }: { form: FormState; revision: number; stored: string }) {
  const isStale = form.status === 412;
  // A form that is shown again keeps its revision, because the person has not opened the page anew.
  const opened = form.text(FIELD);
  return (
    <>
      {isStale && (
        <p class="warning">
          Your changes are still in the form. Compare them with{' '}
          <a href={stored} target="_blank">
            the stored version (opens in a new tab)
          </a>
          , then save again to overwrite it.
        </p>
      )}
      <input type="hidden" name={FIELD} value={isStale || opened === '' ? String(revision) : opened} />
    </>
  );
}
