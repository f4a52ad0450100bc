import { type FormFields } from '../../http/body/form-fields.js';
import { type IfMatch, ifMatchOf } from '../../http/items/if-match.decorator.js';
import { type FormState } from './form-state.js';

const FIELD = 'revision';

/** The demand that what a form changes is still what it was when its page was opened. */
export function asOpened(form: FormFields): IfMatch {
  // Of a tag only the revision is compared, so that what checks change never stands in the way.
  return ifMatchOf({ 'if-match': `"${form.text(FIELD)}.0"` });
}

/** What carries the revision; and, where somebody else was faster, what to do about that. */
export function Revision({ form, revision, stored }: { form: FormState; revision: number; stored: string }) {
  const isStale = form.status === 412;
  // Sent again, whatever was stored meanwhile: the page was not opened anew.
  const opened = form.text(FIELD);
  return (
    <>
      {isStale && (
        <p class="warning">
          What you typed is still here. Compare it with{' '}
          <a href={stored} target="_blank">
            what is stored now (in a new tab)
          </a>
          , then save again: that puts yours in its place.
        </p>
      )}
      <input type="hidden" name={FIELD} value={isStale || opened === '' ? String(revision) : opened} />
    </>
  );
}
