import { type PlannedNotification } from './planned.js';

const HELD_MS = 5_000;
const PENDING_MS = 60_000;
const IDLE_MS = 600_000;

/**
 * Returns after how many milliseconds the plan of an open alert is computed again at the latest, even if nothing seems to
 * have changed, because not every fact is an event: soon while a notification waits for the result of a check, and
 * rarely if none waits for its time or its turn.
 */
export function lookAgainWithin(notifications: readonly PlannedNotification[]): number {
  const held = notifications.filter(({ status }) => status === 'held');
  if (held.some(({ dueAt, reason }) => dueAt === null || reason === 'awaiting_parent')) return HELD_MS;
  return held.length > 0 || notifications.some(({ status }) => status === 'pending') ? PENDING_MS : IDLE_MS;
}
