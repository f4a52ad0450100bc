import { DAY_MS } from '../../domain/durations.js';
import { type Session } from './session.entity.js';

export const SESSION_MS = 30 * DAY_MS;
export const IDLE_MS = 7 * DAY_MS;
const SEEN_EVERY_MS = 60_000;

type Life = Pick<Session, 'lastSeenAt' | 'expiresAt'>;

/** Returns whether a session is valid at `now` (epoch milliseconds): for 30 days, and for 7 days without a request. */
export function isAlive({ lastSeenAt, expiresAt }: Life, now: number): boolean {
  return now < expiresAt.getTime() && now < lastSeenAt.getTime() + IDLE_MS;
}

/** Returns whether a request at `now` is recorded as a use: at most once a minute. */
export function isToBeNoted({ lastSeenAt }: Life, now: number): boolean {
  return now >= lastSeenAt.getTime() + SEEN_EVERY_MS;
}
