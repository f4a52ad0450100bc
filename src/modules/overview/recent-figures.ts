import { cutPercent, seconds } from '../../domain/uptime-figures.js';
import { type RecentFiguresDto } from './dto/overview.dto.js';

const MOST_TAGS = 10;
const MOST_MONITORS = 5;

interface Times {
  upMs: number;
  degradedMs: number;
  downMs: number;
}

/** A monitor with its times and response times over the past days. */
export interface RecentMonitor {
  id: string;
  name: string;
  tags: readonly string[];
  day: Times;
  week: Times & { incidentCount: number };
  /** Passing checks of the week with a response time, and the sum of those times. */
  responses: { count: number; sumMs: number };
}

/** Returns the figures of these monitors together, and those of them that stand out. */
export function recentFigures(monitors: readonly RecentMonitor[], nowMs: number): RecentFiguresDto {
  return {
    computedAt: new Date(nowMs).toISOString(),
    day: figuresOf(monitors.map(({ day }) => day)),
    week: figuresOf(monitors.map(({ week }) => week)),
    tags: tagsOf(monitors),
    slowest: monitors
      .filter(({ responses }) => responses.count > 0)
      .map(({ id, name, responses: { count, sumMs } }) => ({
        monitorId: id,
        name,
        responseTimeMs: Math.round((10 * sumMs) / count) / 10,
      }))
      .sort((one, other) => other.responseTimeMs - one.responseTimeMs || byName(one, other))
      .slice(0, MOST_MONITORS),
    flakiest: monitors
      .filter(({ week }) => week.incidentCount > 0)
      .map(({ id, name, week: { incidentCount, downMs } }) => ({
        monitorId: id,
        name,
        incidentCount,
        downSeconds: seconds(downMs),
      }))
      .sort(
        (one, other) =>
          other.incidentCount - one.incidentCount || other.downSeconds - one.downSeconds || byName(one, other),
      )
      .slice(0, MOST_MONITORS),
  };
}

function tagsOf(monitors: readonly RecentMonitor[]): RecentFiguresDto['tags'] {
  const byTag = new Map<string, Times[]>();
  for (const { tags, week } of monitors) {
    for (const tag of tags) {
      const all = byTag.get(tag);
      if (all) all.push(week);
      else byTag.set(tag, [week]);
    }
  }
  return [...byTag]
    .sort(([tag, all], [otherTag, others]) => others.length - all.length || (tag < otherTag ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(([tag, all]) => ({ tag, monitorCount: all.length, ...figuresOf(all) }));
}

function figuresOf(all: readonly Times[]): { uptimePercent: number | null; downSeconds: number } {
  const sum = { upMs: 0, degradedMs: 0, downMs: 0 };
  for (const { upMs, degradedMs, downMs } of all) {
    sum.upMs += upMs;
    sum.degradedMs += degradedMs;
    sum.downMs += downMs;
  }
  const goodMs = sum.upMs + sum.degradedMs;
  return { uptimePercent: cutPercent(goodMs, goodMs + sum.downMs), downSeconds: seconds(sum.downMs) };
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
