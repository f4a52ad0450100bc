import { exactDuration } from '../../../html/time-text.js';
import { type JsonValue } from '../../../http/body/json.js';
import { type FormField } from '../../../domain/form-field.js';
import { wholeOr } from '../field-values.js';
import { type Choice } from './fields.js';

/** The choice that stands for the number of seconds in the field beside it. */
const CUSTOM = 'custom';

/** The length of the unit of a duration, in milliseconds. */
export const UNIT_MS = { seconds: 1_000, milliseconds: 1 } as const;

export type DurationUnit = keyof typeof UNIT_MS;

/** Returns the name of the field for a custom number of seconds. */
export function customField(name: string): string {
  return `${name}Custom`;
}

/**
 * Returns the duration that a choice and the field beside it state, in `unit`; null if it is left out. Invalid input is
 * returned as typed, so that the service refuses it.
 */
export function durationOf(unit: DurationUnit, chosen: string, typed: string): JsonValue {
  if (chosen === '') return null;
  if (chosen !== CUSTOM) return wholeOr(chosen);
  const text = typed.trim();
  if (unit === 'seconds' || !/^\d{1,9}(\.\d{1,3})?$/.test(text)) return wholeOr(text);
  return Math.round(Number(text) * UNIT_MS.seconds);
}

/** The content of a control for a duration. */
export interface DurationControl {
  choices: Choice[];
  chosen: string;
  /** The custom number of seconds. */
  custom: string;
}

/** Returns the content of the control for a duration in its unit, of which `custom` is typed in seconds. */
export function durationControl(
  { kind, usual = [], unset }: FormField,
  duration: string,
  custom: string,
): DurationControl {
  const unitMs = UNIT_MS[kind as DurationUnit];
  const choices = [
    ...(unset === undefined ? [] : [{ value: '', label: unset }]),
    ...usual.map((count) => ({ value: String(count), label: exactDuration(count * unitMs) })),
    { value: CUSTOM, label: 'Custom…' },
  ];
  if (choices.some(({ value }) => value === duration)) return { choices, chosen: duration, custom };
  // An unusual duration is a custom one.
  const seconds = /^\d{1,15}$/.test(duration) ? String((Number(duration) * unitMs) / 1_000) : duration;
  return { choices, chosen: CUSTOM, custom: seconds };
}

/** Returns a duration as a control states it, such as `10 seconds`; null if it is left out or invalid. */
export function durationWord(unit: DurationUnit, chosen: string, typed: string): string | null {
  const count = durationOf(unit, chosen, typed);
  return typeof count === 'number' ? exactDuration(count * UNIT_MS[unit]) : null;
}
