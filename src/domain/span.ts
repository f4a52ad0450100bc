/** A half-open stretch of time `[from, to)` in epoch milliseconds; `to` is `null` while it has no end yet. */
export interface Span {
  from: number;
  to: number | null;
}

/** A span whose end is known. */
export interface ClosedSpan extends Span {
  to: number;
}

/**
 * The time that any of `spans` covers inside `[fromMs, toMs)`, as sorted, disjoint, non-adjacent, non-empty spans.
 * Order, overlap and nesting of the input do not matter; empty and reversed spans cover nothing.
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
 * A reader of sorted, disjoint spans that answers "is this moment covered?" for moments asked in rising order, in
 * constant time on average.
 */
export function risingCover(spans: readonly ClosedSpan[]): (atMs: number) => boolean {
  let next = 0;
  return (atMs) => {
    while (next < spans.length && spans[next]!.to <= atMs) next += 1;
    return next < spans.length && spans[next]!.from <= atMs;
  };
}

/** The distinct, rising moments at which one of the lists may change, kept to `[fromMs, toMs]`. */
export function boundaries(fromMs: number, toMs: number, ...moments: readonly Iterable<number>[]): number[] {
  const found: number[] = [];
  for (const list of moments) {
    for (const at of list) if (at >= fromMs && at <= toMs) found.push(at);
  }
  found.sort((a, b) => a - b);
  return found.filter((at, index) => index === 0 || at !== found[index - 1]);
}

/** Both ends of each span. */
export function endsOf(spans: readonly ClosedSpan[]): number[] {
  return spans.flatMap((span) => [span.from, span.to]);
}
