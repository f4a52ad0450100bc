import { DAY_MS } from '../../../domain/durations.js';
import { dayStart } from '../../../domain/utc-day.js';
import { figuresWithin, observedSeconds, seconds } from '../../../domain/uptime-figures.js';
import { type UptimeSegment } from '../../../domain/uptime.js';

export interface PeriodFigure {
  label: string;
  uptimePercent: number | null;
  observedSeconds: number;
  downSeconds: number;
  /** The elapsed part of the period. */
  periodSeconds: number;
}

/**
 * Returns the uptime of the past day, week, month and quarter, from the segments of the past 90 days. Days are UTC days
 * with today as the last one, as in the API; the first figure covers the past 24 hours.
 */
export function periodFigures(segments: readonly UptimeSegment[], nowMs: number): PeriodFigure[] {
  const tomorrow = dayStart(nowMs) + DAY_MS;
  const periods = [
    { label: '24 hours', from: nowMs - DAY_MS },
    ...[7, 30, 90].map((days) => ({ label: `${days} days`, from: tomorrow - days * DAY_MS })),
  ];
  return periods.map(({ label, from }) => {
    const figures = figuresWithin(segments, { from, to: nowMs });
    return {
      label,
      uptimePercent: figures.uptimePercent,
      observedSeconds: observedSeconds(figures),
      downSeconds: seconds(figures.downMs),
      periodSeconds: (nowMs - from) / 1_000,
    };
  });
}
