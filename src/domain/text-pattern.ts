import { RE2JS } from 're2js';
import { remembering } from './memo.js';

/**
 * Regular expressions of callers, run by RE2: time is linear in the text for every pattern. The limits bound the
 * factor, which grows with the compiled pattern: at the limit, a hostile text of 1 MiB takes seconds, not hours.
 */
export const MAX_PATTERN_LENGTH = 500;
const MAX_PROGRAM_SIZE = 250;
const CACHED_PATTERNS = 500;

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
  return compile(pattern).test(text);
}

/** Whether the pattern describes the whole text. Throws where `patternProblem` finds one. */
export function matchesWhole(pattern: string, text: string): boolean {
  return compile(pattern).testExact(text);
}

const compile = remembering((pattern): RE2JS => {
  const fresh = RE2JS.compile(pattern);
  if (fresh.programSize() > MAX_PROGRAM_SIZE) {
    throw new Error('the regular expression is too large: use smaller repetition counts');
  }
  return fresh;
}, CACHED_PATTERNS);
