import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { textOrNull, wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';

export const PAUSE_FORM: FormShape = {
  id: 'pause',
  labels: { '/durationSeconds': 'Duration', '/reason': 'Reason' },
};

export const PAUSE_DEFAULTS = { durationSeconds: '3600' };

export const DURATION_CHOICES: readonly Choice[] = [
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
  { value: '', label: 'Until resumed' },
];

/** Returns the API's body that pauses a monitor. */
export function pauseBody(form: FormFields): JsonObject {
  const length = form.text('durationSeconds');
  return { durationSeconds: length === '' ? null : wholeOr(length), reason: textOrNull(form.text('reason')) };
}
