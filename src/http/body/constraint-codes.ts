import { type FieldErrorCode } from '../../domain/field-error-codes.js';

/** Names of class-validator's constraints, by meaning. A `context: { code }` on the decorator takes precedence. */
const TYPES: ReadonlySet<string> = new Set([
  'isString',
  'isInt',
  'isNumber',
  'isBoolean',
  'isArray',
  'isObject',
  'isNotEmptyObject',
  'nestedValidation',
  'isDate',
]);
const RANGES: ReadonlySet<string> = new Set([
  'min',
  'max',
  'isPositive',
  'isNegative',
  'isDivisibleBy',
  'minDate',
  'maxDate',
]);
const TOO_LONG: ReadonlySet<string> = new Set(['maxLength', 'arrayMaxSize', 'maxLines']);
const TOO_SHORT: ReadonlySet<string> = new Set(['minLength', 'arrayMinSize', 'arrayNotEmpty', 'isNotEmpty']);

/** Returns whether a constraint of this name is about the type of the value. */
export function isTypeConstraint(constraint: string): boolean {
  return TYPES.has(constraint);
}

/** Returns the stable code of a failed constraint. `value` is the rejected value, `message` that of the validator. */
export function codeOfConstraint(constraint: string, value: unknown, message: string): FieldErrorCode {
  if (value === undefined || value === null) return 'required';
  if (TYPES.has(constraint)) return 'invalid_type';
  if (RANGES.has(constraint))
    return typeof value === 'number' || value instanceof Date ? 'out_of_range' : 'invalid_type';
  if (TOO_LONG.has(constraint)) return 'too_long';
  if (TOO_SHORT.has(constraint)) return 'too_short';
  // Only the message of `isLength` reveals which bound was violated.
  if (constraint === 'isLength') return message.includes('longer than') ? 'too_short' : 'too_long';
  if (constraint === 'arrayUnique') return 'duplicate';
  if (constraint === 'singleLine') return 'forbidden_character';
  return 'invalid_value';
}
