import { type ShownDay } from '../../../html/day-figures.js';
import { type Mark, MARK_WORDS } from '../../../html/marks.js';

export const MARKS = Object.keys(MARK_WORDS) as Mark[];

export const TYPE_SIZES = [28, 20, 16, 14, 13, 12] as const;

export const NEUTRAL_COLOURS = [
  'ground',
  'card',
  'sunken',
  'line',
  'edge',
  'quiet',
  'text',
  'link',
  'accent',
  'accent-tint',
  'danger',
] as const;

export const CHART_COLOURS = [
  'phase-dnsMs',
  'phase-connectMs',
  'phase-tlsMs',
  'phase-firstByteMs',
  'phase-transferMs',
  'line-0',
  'line-1',
  'line-2',
  'line-3',
  'outage',
] as const;

const DAY_SECONDS = 86_400;

function day(index: number, share: Partial<ShownDay>): ShownDay {
  return {
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    status: 'up',
    uptimePercent: 100,
    incidentCount: 0,
    upSeconds: DAY_SECONDS,
    degradedSeconds: 0,
    downSeconds: 0,
    maintenanceSeconds: 0,
    pausedSeconds: 0,
    excludedSeconds: 0,
    unknownSeconds: 0,
    ...share,
  };
}

/** A month with each kind of day: before the first result, up, with an outage, degraded, maintained, paused, unknown. */
export const EXAMPLE_DAYS: readonly ShownDay[] = Array.from({ length: 30 }, (_, index) => {
  if (index < 6) return day(index, { upSeconds: 0, unknownSeconds: DAY_SECONDS, uptimePercent: null });
  if (index === 12)
    return day(index, { upSeconds: 82_800, downSeconds: 3_600, uptimePercent: 95.833, incidentCount: 1 });
  if (index === 16) return day(index, { upSeconds: 43_200, degradedSeconds: 43_200 });
  if (index === 20) return day(index, { upSeconds: 79_200, maintenanceSeconds: 7_200 });
  if (index === 23) return day(index, { upSeconds: 43_200, pausedSeconds: 43_200 });
  if (index === 26) return day(index, { upSeconds: 43_200, unknownSeconds: 43_200 });
  return day(index, {});
});
