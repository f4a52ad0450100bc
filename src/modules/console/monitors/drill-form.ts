import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { DRILL_SECONDS } from '../../incidents/dto/start-drill.dto.js';
import { wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';

export const DRILL_FORM: FormShape = {
  id: 'drill',
  labels: { '/endAfterSeconds': 'Ends after' },
  durations: { '/endAfterSeconds': 1_000 },
};

export const DRILL_DEFAULTS = { endAfterSeconds: String(DRILL_SECONDS) };

export const END_CHOICES: readonly Choice[] = [
  { value: '300', label: '5 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
];

/** Returns the API's body that starts a drill. */
export function drillBody(form: FormFields): JsonObject {
  return { endAfterSeconds: wholeOr(form.text('endAfterSeconds')) };
}
