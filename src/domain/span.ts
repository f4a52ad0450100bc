/** A half-open interval of time `[from, to)` in epoch milliseconds; `to` is `null` while it has no end. */
export interface Span {
  from: number;
  to: number | null;
}

/** A span whose end is known. */
export interface ClosedSpan extends Span {
  to: number;
}

/**
 * Returns the time that any of `spans` covers inside `[fromMs, toMs)`, as sorted, disjoint, non-adjacent, non-empty
 * spans. The input may overlap and be in any order; empty and reversed spans cover nothing.
 */
export function coverage(spans: readonly Span[], fromMs: number, toMs: number): ClosedSpan[] {
  const clipped: ClosedSpan[] = [];
  for (const span of spans) {
    const from = Math.max(span.from, fromMs);
    const to = Math.min(span.to ?? Infinity, toMs);
    if (from < to) clipped.push({ from, to });
  }
  clipped.sort((a, b) => a.from - b.from);
  const merged: ClosedSpan[] = [];
  for (const span of clipped) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push(span);
  }
  return merged;
}

/**
 * Returns a test whether sorted, disjoint spans cover a moment. The moments must be passed in ascending order; the test
 * takes constant time on average.
 */
export function risingCover(spans: readonly ClosedSpan[]): (atMs: number) => boolean {
  let next = 0;
  return (atMs) => {
    while (next < spans.length && spans[next]!.to <= atMs) next += 1;
    return next < spans.length && spans[next]!.from <= atMs;
  };
}

/** Returns the distinct moments of all lists within `[fromMs, toMs]`, ascending. */
export function boundaries(fromMs: number, toMs: number, ...moments: readonly Iterable<number>[]): number[] {
  const found: number[] = [];
  for (const list of moments) {
    for (const at of list) if (at >= fromMs && at <= toMs) found.push(at);
  }
  found.sort((a, b) => a - b);
  return found.filter((at, index) => index === 0 || at !== found[index - 1]);
}

/** Returns both ends of each span. */
export function endsOf(spans: readonly ClosedSpan[]): number[] {
  return spans.flatMap((span) => [span.from, span.to]);
}
