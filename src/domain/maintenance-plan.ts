import { type ClosedSpan } from './span.js';

/** A stored maintenance span of one monitor, created by one window. */
export interface MaintenanceRow extends ClosedSpan {
  id: string;
  monitorId: string;
}

export interface MaintenancePlan {
  insert: (ClosedSpan & { monitorId: string })[];
  /** Rows whose end changes. */
  end: { id: string; monitorId: string; to: number }[];
  remove: { id: string; monitorId: string }[];
}

export interface PlanInput {
  /** The window's occurrences, complete, sorted and disjoint. Those that ended by `settledMs` may be omitted. */
  stretches: readonly ClosedSpan[];
  /** The monitors that the window currently applies to. */
  members: readonly string[];
  /** The stored rows of the window that end after `settledMs`. */
  rows: readonly MaintenanceRow[];
  /** The time up to which rows have been stored; up to `nowMs`, stored rows do not change. */
  settledMs: number;
  nowMs: number;
}

/**
 * Returns the changes that bring the stored maintenance of a window up to date. Nothing before `nowMs` changes, except
 * that complete occurrences between `settledMs` and `nowMs` that were never stored are added. A monitor that joined the
 * window during a stored occurrence is in maintenance from `nowMs` on; one that left it, until `nowMs`.
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
