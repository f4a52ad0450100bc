import { type ClosedSpan } from './span.js';

/** A stored stretch of maintenance of one monitor by one window. */
export interface MaintenanceRow extends ClosedSpan {
  id: string;
  monitorId: string;
}

export interface MaintenancePlan {
  insert: (ClosedSpan & { monitorId: string })[];
  /** Rows that end at another time. */
  end: { id: string; monitorId: string; to: number }[];
  remove: { id: string; monitorId: string }[];
}

export interface PlanInput {
  /** When the window takes place: sorted, disjoint, whole. What ended by `settledMs` may be left out. */
  stretches: readonly ClosedSpan[];
  /** The monitors that it means now. */
  members: readonly string[];
  /** What is stored of it and ends after `settledMs`. */
  rows: readonly MaintenanceRow[];
  /** Through when rows were made; what a former pass made stays as it is up to now. */
  settledMs: number;
  nowMs: number;
}

/**
 * What turns the stored maintenance of a window into what it should be. Nothing before `nowMs` changes, but that
 * occurrences which nobody wrote down between `settledMs` and `nowMs` are added whole. A monitor that became a member
 * during a stretch that was written down is in maintenance from now on, one that no longer is one until now.
 */
export function planMaintenance(input: PlanInput): MaintenancePlan {
  const { nowMs, members } = input;
  const settledMs = Math.min(input.settledMs, nowMs);
  const stretches = input.stretches.filter(({ to }) => to > settledMs);
  const plan: MaintenancePlan = { insert: [], end: [], remove: [] };
  const rowsOf = new Map<string, MaintenanceRow[]>(members.map((monitorId) => [monitorId, []]));
  const isMember = new Set(members);
  for (const row of input.rows) {
    const own = rowsOf.get(row.monitorId);
    if (own) own.push(row);
    else rowsOf.set(row.monitorId, [row]);
  }
  for (const [monitorId, rows] of rowsOf) {
    const left = new Set(rows);
    for (const { from, to } of isMember.has(monitorId) ? stretches : []) {
      const runs = from < settledMs;
      const row = rows.find((one) => (runs ? one.from < settledMs && one.to > from : one.from === from));
      if (row) left.delete(row);
      if (row && row.to !== to) plan.end.push({ id: row.id, monitorId, to });
      if (!row && !runs) plan.insert.push({ monitorId, from, to });
      if (!row && runs && to > nowMs) plan.insert.push({ monitorId, from: nowMs, to });
    }
    for (const { id, from, to } of left) {
      if (from >= nowMs) plan.remove.push({ id, monitorId });
      else if (to > nowMs) plan.end.push({ id, monitorId, to: nowMs });
    }
  }
  return plan;
}
