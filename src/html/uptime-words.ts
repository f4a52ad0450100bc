import { duration } from './time-text.js';

/** Returns a percentage such as `99.982%`. Figures are already cut to 3 decimals. */
export function percent(value: number): string {
  return value === 100 ? '100%' : `${value.toFixed(3)}%`;
}

/** Returns an uptime and the time over which it was measured, in words. */
export function uptimeWords({
  uptimePercent,
  observedSeconds,
}: {
  uptimePercent: number | null;
  observedSeconds: number | null;
}): string {
  if (uptimePercent === null || observedSeconds === null || observedSeconds < 1) return 'No data yet';
  const days = observedSeconds / 86_400;
  // Cut like the figure itself: 90 days are only complete once they are over.
  const over = days < 1 ? duration(observedSeconds * 1_000) : `${(Math.floor(days * 10) / 10).toFixed(1)} days`;
  return `${percent(uptimePercent)} over ${over}`;
}
