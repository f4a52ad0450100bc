import { duration } from './time-text.js';

/** Returns a percentage such as `99.982%`. Figures are already cut to 3 decimals. */
export function percent(value: number): string {
  return value === 100 ? '100%' : `${value.toFixed(3)}%`;
}

interface Figure {
  uptimePercent: number | null;
  observedSeconds: number | null;
}

/** A figure that was measured over a smaller share of its period says so. */
const LEAST_COVERAGE = 0.99;

/** Returns whether the monitor was observed for long enough to show a figure. */
export function isMeasured(figure: Figure): figure is { uptimePercent: number; observedSeconds: number } {
  return figure.uptimePercent !== null && figure.observedSeconds !== null && figure.observedSeconds >= 1;
}

/** Returns the uptime alone, such as `99.982%`. */
export function uptimeFigure(figure: Figure): string {
  return isMeasured(figure) ? percent(figure.uptimePercent) : 'No data yet';
}

/** Returns what a figure was measured over if that is less than 99% of the period: `over 12.4 days`; otherwise null. */
export function measuredOver(figure: Figure, periodSeconds: number): string | null {
  if (!isMeasured(figure) || figure.observedSeconds >= LEAST_COVERAGE * periodSeconds) return null;
  return `over ${timeOf(figure.observedSeconds)}`;
}

/**
 * Returns an uptime in words, with what it was measured over if that is less than 99% of its period. Without a period,
 * always states what it was measured over.
 */
export function uptimeWords(figure: Figure, periodSeconds = Infinity): string {
  return [uptimeFigure(figure), measuredOver(figure, periodSeconds)].filter((one) => one !== null).join(' ');
}

/** Days are cut like the figure itself: 90 days are only complete once they are over. */
function timeOf(seconds: number): string {
  const days = seconds / 86_400;
  return days < 1 ? duration(seconds * 1_000) : `${(Math.floor(days * 10) / 10).toFixed(1)} days`;
}
