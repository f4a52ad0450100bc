const MIN_MONITORS = 10;
const WITHIN_MS = 60_000;

/**
 * Returns whether the cause of outages is probably common or on our side: at least ten and at least half of a team's
 * monitors went down within a minute.
 */
export function isProbablyCommonCause(
  outages: readonly { monitorId: string; at: number }[],
  monitorsOfTeam: number,
): boolean {
  const needed = Math.max(MIN_MONITORS, monitorsOfTeam / 2);
  const sorted = [...outages].sort((a, b) => a.at - b.at);
  const within = new Map<string, number>();
  let oldest = 0;
  for (const { monitorId, at } of sorted) {
    within.set(monitorId, (within.get(monitorId) ?? 0) + 1);
    for (; sorted[oldest]!.at < at - WITHIN_MS; oldest += 1) {
      const id = sorted[oldest]!.monitorId;
      const left = within.get(id)! - 1;
      if (left === 0) within.delete(id);
      else within.set(id, left);
    }
    if (within.size >= needed) return true;
  }
  return false;
}
