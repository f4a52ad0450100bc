import { type EntityManager } from 'typeorm';
import { type ScheduleHint } from './check-plan.types.js';

/** The channel on which writers notify the dispatcher of changes. It also detects changes without notifications. */
export const HINT_CHANNEL = 'daywatch_schedule';

/** Sends a hint when the transaction commits. */
export async function hint(manager: EntityManager, what: ScheduleHint): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [HINT_CHANNEL, JSON.stringify(what)]);
}
