import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/**
 * Regular expressions of callers, run by RE2: time is linear in the text for every pattern. The limits bound the
 * factor, which grows with the compiled pattern: at the limit, a hostile text of 1 MiB takes seconds, not hours. Whoever
 * cannot wait that long interrupts the search.
 */
export const MAX_PATTERN_LENGTH = 500;
const MAX_PROGRAM_SIZE = 250;
const CACHED_PATTERNS = 500;
/** A search that takes longer may have built megabytes of states, which are not worth keeping. */
const KEPT_WITHIN_MS = 5;

const compiled = new LRUCache<string, RE2JS>({ max: CACHED_PATTERNS });

/** What is wrong with a pattern, in words for its author, or `null`. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  try {
    compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a regular expression';
  }
}

/** Whether the pattern (RE2 syntax) is found anywhere in the text. Throws where `patternProblem` finds one. */
export function findsPattern(pattern: string, text: string): boolean {
  return using(pattern, (expression) => expression.test(text));
}

/** Whether the pattern describes the whole text. Throws where `patternProblem` finds one. */
export function matchesWhole(pattern: string, text: string): boolean {
  return using(pattern, (expression) => expression.testExact(text));
}

/** Takes the expression out of the memory while it works: it has state, and one that was interrupted must not be used again. */
function using(pattern: string, search: (expression: RE2JS) => boolean): boolean {
  const expression = compiled.get(pattern) ?? compile(pattern);
  compiled.delete(pattern);
  const startedAt = performance.now();
  const found = search(expression);
  if (performance.now() - startedAt < KEPT_WITHIN_MS) compiled.set(pattern, expression);
  return found;
}

function compile(pattern: string): RE2JS {
  const fresh = RE2JS.compile(pattern);
  if (fresh.programSize() > MAX_PROGRAM_SIZE) {
    throw new Error('the regular expression is too large: use smaller repetition counts');
  }
  return fresh;
}
