import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../domain/durations.js';
import { recentFigures, type RecentMonitor } from './recent-figures.js';

const NOW = Date.parse('2026-01-07T12:00:00Z');

function monitor(name: string, fields: Partial<RecentMonitor> = {}): RecentMonitor {
  const times = { upMs: 24 * HOUR_MS, degradedMs: 0, downMs: 0 };
  return {
    id: `id of ${name}`,
    name,
    tags: [],
    day: times,
    week: { ...times, incidentCount: 0 },
    responses: { count: 0, sumMs: 0 },
    ...fields,
  };
}

const down = (hours: number, incidentCount: number): RecentMonitor['week'] => ({
  upMs: 100 * HOUR_MS,
  degradedMs: 0,
  downMs: hours * HOUR_MS,
  incidentCount,
});

describe('recentFigures', () => {
  it('adds up the times of all monitors', () => {
    const { day, week } = recentFigures(
      [
        monitor('a'),
        monitor('b', { day: { upMs: 0, degradedMs: 12 * HOUR_MS, downMs: 12 * HOUR_MS }, week: down(25, 1) }),
      ],
      NOW,
    );
    expect(day).toEqual({ uptimePercent: 75, downSeconds: 12 * 3_600 });
    expect(week).toEqual({ uptimePercent: 83.221, downSeconds: 25 * 3_600 });
  });

  it('has no percentage without monitored time', () => {
    const none = { upMs: 0, degradedMs: 0, downMs: 0 };
    const { day, tags } = recentFigures(
      [monitor('a', { day: none, tags: ['new'], week: { ...none, incidentCount: 0 } })],
      NOW,
    );
    expect(day).toEqual({ uptimePercent: null, downSeconds: 0 });
    expect(tags).toEqual([{ tag: 'new', monitorCount: 1, uptimePercent: null, downSeconds: 0 }]);
  });

  it('lists at most ten tags, those of most monitors first', () => {
    const many = Array.from({ length: 12 }, (_, index) => monitor(`m${index}`, { tags: ['all', `tag ${index}`] }));
    const { tags } = recentFigures(many, NOW);
    expect(tags).toHaveLength(10);
    expect(tags[0]).toMatchObject({ tag: 'all', monitorCount: 12, uptimePercent: 100 });
    expect(tags[1]).toMatchObject({ tag: 'tag 0', monitorCount: 1 });
  });

  it('lists the slowest by the mean of their responses, without those that have none', () => {
    const { slowest } = recentFigures(
      [
        monitor('fast', { responses: { count: 3, sumMs: 30 } }),
        monitor('slow', { responses: { count: 4, sumMs: 1_001 } }),
        monitor('silent'),
      ],
      NOW,
    );
    expect(slowest).toEqual([
      { monitorId: 'id of slow', name: 'slow', responseTimeMs: 250.3 },
      { monitorId: 'id of fast', name: 'fast', responseTimeMs: 10 },
    ]);
  });

  it('lists the flakiest by incidents, then by downtime, without those that had none', () => {
    const { flakiest } = recentFigures(
      [
        monitor('long', { week: down(9, 1) }),
        monitor('often', { week: down(1, 3) }),
        monitor('short', { week: down(1, 1) }),
        monitor('steady'),
      ],
      NOW,
    );
    expect(flakiest.map(({ name }) => name)).toEqual(['often', 'long', 'short']);
    expect(flakiest[0]).toEqual({ monitorId: 'id of often', name: 'often', incidentCount: 3, downSeconds: 3_600 });
  });
});
