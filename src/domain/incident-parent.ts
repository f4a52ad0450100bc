/** An incident that may be the cause of another. Times are epoch milliseconds. */
export interface ParentIncident {
  id: string;
  startedAt: number;
  resolvedAt: number | null;
  /** Longest time after which its monitor notices a failure: interval plus timeout. */
  seenWithinMs: number;
}

/**
 * Returns the incident under which a child's incident is grouped: a parent's incident that was open when the child's
 * began. The parent may notice a common cause up to one check later, so its incident may begin that much after the
 * child's. If there are several, returns the one that began first.
 */
export function parentIncidentOf<P extends ParentIncident>(startedAt: number, candidates: readonly P[]): P | null {
  const open = candidates.filter(
    (one) => one.startedAt <= startedAt + one.seenWithinMs && (one.resolvedAt ?? Infinity) > startedAt,
  );
  open.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  return open[0] ?? null;
}
