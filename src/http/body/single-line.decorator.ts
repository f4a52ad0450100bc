import { ValidateBy, type ValidationOptions } from 'class-validator';

/** Characters that start a new line or column where a text is displayed. */
const BREAKS = /[\t\n\r\u2028\u2029]/;

/** Requires a text of a single line, because it is shown as a title, a list entry or a subject. */
export function SingleLine(options: ValidationOptions = {}): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || !BREAKS.test(value);
  const defaultMessage = () => '$property must be a single line';
  return ValidateBy({ name: 'singleLine', validator: { validate, defaultMessage } }, options);
}
