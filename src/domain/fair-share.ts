/**
 * Returns the most that each of several parties may take of `total`, so that those that need less take what they need,
 * and the others share the rest evenly. Infinity if there is enough for all.
 */
export function fairShare(needs: Iterable<number>, total: number): number {
  const ascending = [...needs].sort((a, b) => a - b);
  let rest = total;
  for (const [index, need] of ascending.entries()) {
    const share = rest / (ascending.length - index);
    if (need > share) return share;
    rest -= need;
  }
  return Infinity;
}

/** Returns the parties that have more than their fair share of `total`. */
export function aboveFairShare<T>(counts: ReadonlyMap<T, number>, total: number): Set<T> {
  const share = fairShare(counts.values(), total);
  return new Set([...counts.keys()].filter((party) => counts.get(party)! > share));
}
