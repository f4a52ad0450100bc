import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { validationFailed } from '../../../http/problems/problem.js';
import { wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';
import { momentOf, timeZoneIn } from '../moments.js';
import { MATCH_DEFAULTS, MATCH_LABELS, matchBody } from './match-form.js';

export const SILENCE_FORM: FormShape = {
  id: 'silence',
  labels: {
    ...MATCH_LABELS,
    '/durationSeconds': 'Duration',
    '/until': 'Ends',
    '/timezone': 'Time zone',
    '/reason': 'Reason',
  },
};

/** The choice that stands for the date in the field beside it. */
const UNTIL = 'date';
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Up to the 7 days that the API accepts. */
export const DURATION_CHOICES: readonly Choice[] = [
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(2 * HOUR_SECONDS), label: '2 hours' },
  { value: String(4 * HOUR_SECONDS), label: '4 hours' },
  { value: String(8 * HOUR_SECONDS), label: '8 hours' },
  { value: String(DAY_SECONDS), label: '1 day' },
  { value: String(3 * DAY_SECONDS), label: '3 days' },
  { value: String(7 * DAY_SECONDS), label: '7 days' },
  { value: UNTIL, label: 'Until a date…' },
];

export const SILENCE_DEFAULTS = { ...MATCH_DEFAULTS, durationSeconds: String(2 * HOUR_SECONDS), timezone: 'UTC' };

/** Returns the API's body that creates a silence. Throws 422 for an unknown time zone or a missing date. */
export function silenceBody(form: FormFields): JsonObject {
  return { match: matchBody(form), reason: form.text('reason').trim(), ...endOf(form) };
}

function endOf(form: FormFields): JsonObject {
  const duration = form.text('durationSeconds');
  if (duration !== UNTIL) return { durationSeconds: wholeOr(duration) };
  const timezone = timeZoneIn(form);
  const until = momentOf(form.text('until'), timezone);
  if (until === null)
    throw validationFailed([{ pointer: '/until', code: 'required', detail: 'Choose when the silence ends.' }]);
  return { until };
}
