import { type FormFields } from '../../../../http/body/form-fields.js';
import { type JsonObject } from '../../../../http/body/json.js';
import { type FormShape } from '../../form-state.js';
import { momentOf, timeZoneIn } from '../../moments.js';

export const EXCLUSION_FORM: FormShape = {
  id: 'exclusion',
  labels: { '/from': 'From', '/to': 'To', '/timezone': 'Time zone', '/reason': 'Reason' },
};

export const EXCLUSION_DEFAULTS = { timezone: 'UTC' };

/** Returns the API's body that excludes time of a monitor. Throws 422 for an unknown time zone. */
export function exclusionBody(monitorId: string, form: FormFields): JsonObject {
  const timezone = timeZoneIn(form);
  return {
    monitorIds: [monitorId],
    from: momentOf(form.text('from'), timezone),
    to: momentOf(form.text('to'), timezone),
    reason: form.text('reason').trim(),
  };
}
