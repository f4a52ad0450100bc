/** The times of an incident in epoch milliseconds; `resolvedAt` is `null` until it is resolved. */
export interface IncidentTimes {
  startedAt: number;
  resolvedAt: number | null;
}

export interface IncidentMatches<S, C> {
  /** Stored incidents, each with its current computed version. */
  kept: { stored: S; computed: C }[];
  opened: C[];
  /** Stored incidents that the history no longer contains because late results have corrected it. */
  withdrawn: S[];
}

/**
 * Matches each computed incident of a monitor to its stored one, so that an incident keeps its identity when it ends or
 * its times are corrected. A match is the stored incident with the same start, otherwise the earliest that overlaps.
 * Each is matched at most once. Both lists must be sorted by `startedAt`.
 */
export function matchIncidents<S extends IncidentTimes, C extends IncidentTimes>(
  stored: readonly S[],
  computed: readonly C[],
): IncidentMatches<S, C> {
  const match = new Map<C, S>();
  const free = new Set(stored);
  const take = (one: C, isSame: (candidate: S) => boolean): void => {
    if (match.has(one)) return;
    const found = [...free].find(isSame);
    if (!found) return;
    match.set(one, found);
    free.delete(found);
  };
  for (const one of computed) take(one, (candidate) => candidate.startedAt === one.startedAt);
  for (const one of computed) take(one, (candidate) => overlap(candidate, one));
  return {
    kept: [...match].map(([one, found]) => ({ stored: found, computed: one })),
    opened: computed.filter((one) => !match.has(one)),
    withdrawn: [...free],
  };
}

function overlap(a: IncidentTimes, b: IncidentTimes): boolean {
  return a.startedAt < (b.resolvedAt ?? Infinity) && b.startedAt < (a.resolvedAt ?? Infinity);
}
