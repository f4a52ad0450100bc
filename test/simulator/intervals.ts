/** `[from, to)` in epoch milliseconds. */
export interface Interval {
  from: number;
  to: number;
}

/**
 * Sets of moments as sorted, disjoint, non-empty intervals. Independent of the domain's spans: the truth must not be
 * computed by the code that it judges.
 */
export type Intervals = readonly Interval[];

/** Returns the moments that at least `count` of the sets contain. A set that overlaps itself counts once. */
export function atLeast(count: number, sets: readonly Intervals[]): Interval[] {
  const edges: { at: number; set: number; by: number }[] = [];
  sets.forEach((intervals, set) => {
    for (const { from, to } of intervals) {
      if (from < to) edges.push({ at: from, set, by: 1 }, { at: to, set, by: -1 });
    }
  });
  edges.sort((a, b) => a.at - b.at);
  const depth = sets.map(() => 0);
  const found: Interval[] = [];
  let covering = 0;
  let began: number | null = null;
  for (let i = 0; i < edges.length; i += 1) {
    const { at, set, by } = edges[i]!;
    const before = depth[set]!;
    depth[set] = before + by;
    covering += Number(depth[set] > 0) - Number(before > 0);
    if (edges[i + 1]?.at === at) continue;
    if (covering >= count && began === null) began = at;
    if (covering < count && began !== null) {
      if (began < at) found.push({ from: began, to: at });
      began = null;
    }
  }
  return found;
}

/** Returns the moments in any of the sets. Their intervals may overlap and be in any order. */
export function union(...sets: readonly Intervals[]): Interval[] {
  return atLeast(1, sets);
}

export function intersect(a: Intervals, b: Intervals): Interval[] {
  return atLeast(2, [a, b]);
}

/** Returns the moments of `a` that are not in `b`. */
export function subtract(a: Intervals, b: Intervals): Interval[] {
  const outside: Interval[] = [];
  let from = -Infinity;
  for (const hole of union(b)) {
    outside.push({ from, to: hole.from });
    from = hole.to;
  }
  return intersect(a, [...outside, { from, to: Infinity }]);
}

export function lengthOf(set: Intervals): number {
  return set.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Returns whether two intervals overlap or adjoin. An empty interval touches one that surrounds it. */
export function touches(a: Interval, b: Interval): boolean {
  return a.from <= b.to && b.from <= a.to;
}
