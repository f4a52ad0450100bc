import { ValidateBy } from 'class-validator';

/** What ends a line. */
export const LINE_BREAK = /\r\n|\n|\r/;

/** Limits the number of lines of a text, not counting an empty last one. */
export function MaxLines(max: number): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || countOf(value) <= max;
  const defaultMessage = () => `$property must have at most ${max} lines`;
  return ValidateBy({ name: 'maxLines', validator: { validate, defaultMessage } });
}

function countOf(text: string): number {
  const lines = text.split(LINE_BREAK);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
