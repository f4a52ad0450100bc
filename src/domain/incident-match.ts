/** Stored and computed incidents of one monitor. Times are epoch milliseconds; `null`: not resolved. */
export interface IncidentTimes {
  startedAt: number;
  resolvedAt: number | null;
}

export interface IncidentMatches<S, C> {
  /** Incidents that are told already, with what they are by now. */
  kept: { stored: S; computed: C }[];
  opened: C[];
  /** Told, but no longer found in the history: results that came late have corrected it. */
  withdrawn: S[];
}

/**
 * Finds which stored incident each computed one is, so that a correction of its times, or the end of it, keeps its
 * identity: the one with the same beginning, else the earliest that overlaps. Each is matched once; both lists are sorted
 * by `startedAt`.
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
