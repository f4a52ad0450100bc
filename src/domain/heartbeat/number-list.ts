/** The values of one part of an expression. */
export interface NumberField {
  /** For messages, such as "hour". */
  name: string;
  min: number;
  max: number;
  /** Names that stand for numbers, in upper case. */
  names?: readonly string[];
  /** The number that the first of `names` stands for. */
  firstName?: number;
}

/** What is wrong with an expression, as a predicate of "The expression". */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
}

/** Returns the numbers of a range, ascending. */
export function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** Parses one number or name of a field. @throws ExpressionFault */
export function numberOf(text: string, field: NumberField): number {
  const named = (field.names ?? []).indexOf(text.toUpperCase());
  const number = named >= 0 ? named + (field.firstName ?? 0) : /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (number >= field.min && number <= field.max) return number;
  throw new ExpressionFault(`has an invalid ${field.name}: "${text.slice(0, 20)}"`);
}

/** Returns distinct numbers, ascending. */
export function sorted(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
