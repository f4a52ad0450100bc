import { type PlannedNotification, type PlanReason } from './planned.js';

const HELD_MS = 5_000;
const PENDING_MS = 60_000;
const IDLE_MS = 600_000;
/** Stops that may end before the time that is known, without an event of the alert. */
const MAY_END_EARLY: ReadonlySet<PlanReason | null> = new Set(['awaiting_parent', 'maintenance']);

/**
 * Returns after how many milliseconds the plan of an open alert is computed again at the latest, even if nothing seems to
 * have changed, because not every fact is an event: soon while a notification waits for the result of a check, and
 * rarely if none waits for its time or its turn.
 */
export function lookAgainWithin(notifications: readonly PlannedNotification[]): number {
  const held = notifications.filter(({ status }) => status === 'held');
  if (held.some(({ dueAt, reason }) => dueAt === null || MAY_END_EARLY.has(reason))) return HELD_MS;
  return held.length > 0 || notifications.some(({ status }) => status === 'pending') ? PENDING_MS : IDLE_MS;
}
