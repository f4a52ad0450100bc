import { type DayUptime } from '../../../domain/uptime.js';
import { seconds } from '../../../domain/uptime-figures.js';
import { type ShownDay } from '../../../html/day-figures.js';

/**
 * Returns days for display. Members are listed one by one, because a page of the list has thousands of days, and
 * spreading takes many times as long.
 */
export function shownDays(days: readonly DayUptime[]): ShownDay[] {
  return days.map((day) => ({
    date: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent,
    incidentCount: day.incidentCount,
    upSeconds: seconds(day.upMs),
    degradedSeconds: seconds(day.degradedMs),
    downSeconds: seconds(day.downMs),
    maintenanceSeconds: seconds(day.maintenanceMs),
    pausedSeconds: seconds(day.pausedMs),
    excludedSeconds: seconds(day.excludedMs),
    unknownSeconds: seconds(day.unknownMs),
  }));
}
