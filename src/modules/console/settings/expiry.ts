import { DAY_MS } from '../../../domain/durations.js';
import { counted } from '../../../html/counted.js';
import { type Mark } from '../../../html/marks.js';

/** Keys are marked this long before they expire, which leaves time to create another one. */
const SOON_DAYS = 14;

/** Returns how to mark an expiry at `nowMs`; null if it needs no attention yet. */
export function expiryMark(expiresAt: string | null, nowMs: number): { mark: Mark; words: string } | null {
  if (expiresAt === null) return null;
  const days = (Date.parse(expiresAt) - nowMs) / DAY_MS;
  if (days <= 0) return { mark: 'down', words: 'expired' };
  if (days > SOON_DAYS) return null;
  // Rounded down, so that a key never expires earlier than stated.
  const whole = Math.floor(days);
  const left = whole === 0 ? 'within a day' : `in ${counted(whole, 'day')}`;
  return { mark: 'degraded', words: `expires ${left}` };
}
