import { ValidateBy, type ValidationOptions } from 'class-validator';

/** What begins a new line, or a column, wherever a text is shown. */
const BREAKS = /[\t\n\r\u2028\u2029]/;

/** A text of one line: it becomes a title, an entry of a list, a subject. */
export function SingleLine(options: ValidationOptions = {}): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || !BREAKS.test(value);
  const defaultMessage = () => '$property must be a single line';
  return ValidateBy({ name: 'singleLine', validator: { validate, defaultMessage } }, options);
}
