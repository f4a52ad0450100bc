/** A pattern such as `"2xx"`, `"200-299"`, `"301"` or 301. */
export type StatusPattern = string | number;

/** Returns what is wrong with a pattern of status codes, or `null`. */
export function statusPatternProblem(pattern: unknown): string | null {
  return rangeOf(pattern)
    ? null
    : 'must be a status code (100 to 599), a class such as "2xx" or a range such as "200-299"';
}

/** Returns whether the code matches one of the patterns. */
export function isExpectedStatus(code: number, patterns: readonly StatusPattern[]): boolean {
  return patterns.some((pattern) => {
    const range = rangeOf(pattern);
    return range !== null && code >= range.from && code <= range.to;
  });
}

function rangeOf(pattern: unknown): { from: number; to: number } | null {
  const text = typeof pattern === 'number' ? String(pattern) : pattern;
  if (typeof text !== 'string') return null;
  const statusClass = /^([1-5])xx$/i.exec(text)?.[1];
  if (statusClass) return { from: Number(statusClass) * 100, to: Number(statusClass) * 100 + 99 };
  const [, first, last = first] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(text) ?? [];
  return first && Number(first) <= Number(last) ? { from: Number(first), to: Number(last) } : null;
}
