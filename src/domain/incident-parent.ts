/** What is asked of an incident that may be the cause of another. Times are epoch milliseconds. */
export interface ParentIncident {
  id: string;
  startedAt: number;
  resolvedAt: number | null;
  /** How long after a failure its monitor may see it: interval and timeout. */
  seenWithinMs: number;
}

/**
 * The incident under which a child's incident is grouped: one of a parent that was open when the child's began. A common
 * cause shows at the parent up to one check later, so a parent's may begin that much after the child's. Of several the
 * one that began first.
 */
export function parentIncidentOf<P extends ParentIncident>(startedAt: number, candidates: readonly P[]): P | null {
  const open = candidates.filter(
    (one) => one.startedAt <= startedAt + one.seenWithinMs && (one.resolvedAt ?? Infinity) > startedAt,
  );
  open.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  return open[0] ?? null;
}
