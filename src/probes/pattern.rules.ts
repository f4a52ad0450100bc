import { patternProblem } from '../domain/text-pattern.js';
import { compileBudget } from './compile-budget.js';

/** Returns what is wrong with a regular expression, or `null`. Values of other types pass. */
export function patternFault(value: unknown): string | null {
  const fault = typeof value === 'string' ? patternProblem(value, compileBudget()) : null;
  return fault === null ? null : `must be a regular expression (RE2 syntax): ${fault}`;
}
