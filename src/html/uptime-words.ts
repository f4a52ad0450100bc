import { duration } from './time-text.js';

/** `99.982 %`; figures are cut to 3 decimals already. */
export function percent(value: number): string {
  return value === 100 ? '100 %' : `${value.toFixed(3)} %`;
}

/** What an uptime is, and over what it was measured. */
export function uptimeWords({
  uptimePercent,
  observedSeconds,
}: {
  uptimePercent: number | null;
  observedSeconds: number | null;
}): string {
  if (uptimePercent === null || !observedSeconds) return 'Nothing observed yet';
  const days = observedSeconds / 86_400;
  // Cut like the figure itself: 90 days are not observed before they are over.
  const over = days < 1 ? duration(observedSeconds * 1_000) : `${(Math.floor(days * 10) / 10).toFixed(1)} days`;
  return `${percent(uptimePercent)} of ${over} observed`;
}
