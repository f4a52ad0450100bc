import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { textOrNull, wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';

export const PAUSE_FORM: FormShape = {
  id: 'pause',
  labels: { '/durationSeconds': 'For how long', '/reason': 'Why' },
};

export const PAUSE_DEFAULTS = { durationSeconds: '3600' };

export const DURATION_CHOICES: readonly Choice[] = [
  { value: '1800', label: 'half an hour' },
  { value: '3600', label: 'an hour' },
  { value: '14400', label: 'four hours' },
  { value: '86400', label: 'a day' },
  { value: '604800', label: 'a week' },
  { value: '', label: 'until somebody resumes it' },
];

/** Returns the API's body that pauses a monitor. */
export function pauseBody(form: FormFields): JsonObject {
  const length = form.text('durationSeconds');
  return { durationSeconds: length === '' ? null : wholeOr(length), reason: textOrNull(form.text('reason')) };
}
