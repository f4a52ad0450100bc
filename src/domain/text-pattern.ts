import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/**
 * Runs the regular expressions of callers with RE2, whose time is linear in the text for every pattern. The limits
 * bound the factor, which grows with the compiled pattern: at the limit, a hostile text of 1 MiB takes seconds, not
 * hours. Callers that cannot wait that long must interrupt the search.
 */
export const MAX_PATTERN_LENGTH = 500;
const MAX_PROGRAM_SIZE = 250;
const CACHED_PATTERNS = 500;
/** An expression whose search takes longer may have built megabytes of states, so it is not cached. */
const KEPT_WITHIN_MS = 5;

let compiled = newCache();

/** Runs work that may take long. May interrupt it, and then throws an error with a message for the author of the input. */
export type Limiter = <T>(work: () => T) => T;

/**
 * Returns what is wrong with a pattern, in words for its author, or `null`. Compiling one may take tens of milliseconds,
 * which `limited` may bound.
 */
export function patternProblem(pattern: string, limited: Limiter = (work) => work()): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  try {
    limited(() => compile(pattern));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a regular expression';
  }
}

/**
 * Returns whether the pattern (RE2 syntax) matches anywhere in the text. Throws if `patternProblem` reports a problem.
 */
export function findsPattern(pattern: string, text: string): boolean {
  return using(pattern, (expression) => expression.test(text));
}

/** Returns whether the pattern matches the whole text. Throws if `patternProblem` reports a problem. */
export function matchesWhole(pattern: string, text: string): boolean {
  return using(pattern, (expression) => expression.testExact(text));
}

/**
 * Returns what the first group of the pattern captures at its first match in the text, or the whole match if it has no
 * group; `null` without a match. Throws if `patternProblem` reports a problem.
 */
export function captured(pattern: string, text: string): string | null {
  return using(pattern, (expression) => {
    const match = expression.matcher(text);
    if (!match.find()) return null;
    return match.group(match.groupCount() > 0 ? 1 : 0);
  });
}

/**
 * Runs a search, with the expression removed from the cache meanwhile: it has state, and after an interrupted search it
 * must not be used again.
 */
function using<T>(pattern: string, search: (expression: RE2JS) => T): T {
  const expression = compiled.get(pattern) ?? compile(pattern);
  compiled.delete(pattern);
  const startedAt = performance.now();
  const found = search(expression);
  if (performance.now() - startedAt < KEPT_WITHIN_MS) compiled.set(pattern, expression);
  return found;
}

/** Empties the cache. Must be called when a search was interrupted, which may have been changing it. */
export function forgetPatterns(): void {
  compiled = newCache();
}

function newCache(): LRUCache<string, RE2JS> {
  return new LRUCache({ max: CACHED_PATTERNS });
}

function compile(pattern: string): RE2JS {
  const fresh = RE2JS.compile(pattern);
  if (fresh.programSize() > MAX_PROGRAM_SIZE) {
    throw new Error('the regular expression is too large: use smaller repetition counts');
  }
  return fresh;
}
