import { type Mark } from '../../../html/marks.js';

const DAY_MS = 86_400_000;
/** Keys are marked for as long before they expire: time to make another one. */
const SOON_DAYS = 14;

/** What is to be noticed about an expiry at `nowMs`; null: nothing yet. */
export function expiryMark(expiresAt: string | null, nowMs: number): { mark: Mark; words: string } | null {
  if (expiresAt === null) return null;
  const days = (Date.parse(expiresAt) - nowMs) / DAY_MS;
  if (days <= 0) return { mark: 'down', words: 'expired' };
  if (days > SOON_DAYS) return null;
  // Cut, not rounded: less time than it says would be a surprise.
  const whole = Math.floor(days);
  const left = whole === 0 ? 'within a day' : `in ${whole} ${whole === 1 ? 'day' : 'days'}`;
  return { mark: 'degraded', words: `expires ${left}` };
}
