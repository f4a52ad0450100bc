import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { textOrNull, wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';

export const PAUSE_FORM: FormShape = {
  id: 'pause',
  labels: { '/durationSeconds': 'Duration', '/reason': 'Reason' },
  writtenBy: { '/until': '/durationSeconds' },
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

/** Precedes the end of the current pause, as a choice of the duration. */
const UNTIL = 'until:';

type Pause = Pick<MonitorDto, 'pausedAt' | 'pausedUntil' | 'pauseReason'>;

/** Returns the initial contents of the form that pauses a monitor. They retain the end and the reason of a pause. */
export function pauseDefaults({ pausedAt, pausedUntil, pauseReason }: Pause): Record<string, string> {
  if (pausedAt === null) return PAUSE_DEFAULTS;
  return { durationSeconds: pausedUntil === null ? '' : UNTIL + pausedUntil, reason: pauseReason ?? '' };
}

/** Returns the choices of the duration of a pause. One is the end of the current pause, if that has an end. */
export function durationChoices({ pausedUntil }: Pause): readonly Choice[] {
  if (pausedUntil === null) return DURATION_CHOICES;
  return [{ value: UNTIL + pausedUntil, label: 'Keep the current end' }, ...DURATION_CHOICES];
}

/** Returns the API's body that pauses a monitor. */
export function pauseBody(form: FormFields): JsonObject {
  const length = form.text('durationSeconds');
  const reason = textOrNull(form.text('reason'));
  if (length.startsWith(UNTIL)) return { until: length.slice(UNTIL.length), reason };
  return { durationSeconds: length === '' ? null : wholeOr(length), reason };
}
