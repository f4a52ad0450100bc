import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from './durations.js';
import { type ConfirmedStatus } from './quorum.js';
import { type Span } from './span.js';
import { type LocationHistory } from './state-timeline.js';
import { computeUptime, type Uptime, type UptimeInput } from './uptime.js';
import { cpuMs } from '../../test/support/cpu-time.js';

/** Times in the tables are hours from this midnight. */
const START = Date.UTC(2026, 10, 18);
const hours = (value: number) => START + value * HOUR_MS;
const spans = (list: [number, number | null][]): Span[] =>
  list.map(([from, to]) => ({ from: hours(from), to: to === null ? null : hours(to) }));

interface Given {
  days?: number;
  now?: number;
  createdAt?: number;
  states?: [number, ConfirmedStatus][];
  gaps?: [number, number][];
  absences?: [number, number | null][];
  tail?: [number, number] | null;
  paused?: [number, number | null][];
  maintenance?: [number, number | null][];
  excluded?: [number, number | null][];
}

function inputOf(given: Given): UptimeInput {
  const { days = 1, now = 1_000, createdAt = -1_000, states = [[-10, 'up']], tail = null } = given;
  return {
    fromMs: START,
    toMs: START + days * DAY_MS,
    nowMs: hours(now),
    createdAtMs: hours(createdAt),
    locations: [
      {
        transitions: states.map(([at, to]) => ({ at: hours(at), confirmedAt: hours(at), to })),
        gaps: spans(given.gaps ?? []),
        absences: spans(given.absences ?? []),
        tail: tail && { missingFrom: hours(tail[0]), until: hours(tail[1]) },
      },
    ],
    quorum: 'majority',
    spans: {
      paused: spans(given.paused ?? []),
      maintenance: spans(given.maintenance ?? []),
      excluded: spans(given.excluded ?? []),
    },
  };
}

/** Formats hours by kind, such as `up 20, down 4`, without the kinds that have none. */
function written(figures: Uptime['totals'] | Uptime['days'][number]): string {
  const kinds = ['up', 'degraded', 'down', 'maintenance', 'paused', 'excluded', 'unknown'] as const;
  return kinds
    .filter((kind) => figures[`${kind}Ms`] > 0)
    .map((kind) => `${kind} ${figures[`${kind}Ms`] / HOUR_MS}`)
    .join(', ');
}

const DOWN_4_TO_8: [number, ConfirmedStatus][] = [[-10, 'up'], [4, 'down'], [8, 'up']]; // prettier-ignore

describe('a day', () => {
  it.each<[string, Given, string]>([
    ['up all day', {}, 'up 24'],
    ['never checked', { states: [] }, 'unknown 24'],
    ['pending until the first confirmation', { states: [[6, 'up']] }, 'up 18, unknown 6'],
    ['created within the day', { createdAt: 5, states: [[6, 'up']] }, 'up 18, unknown 6'],
    ['created later', { createdAt: 30, states: [[31, 'up']] }, 'unknown 24'],
    ['half of today', { now: 12 }, 'up 12'],
    ['tomorrow', { now: -1 }, ''],
    ['the very first moment', { now: 0 }, ''],
    ['an outage', { states: DOWN_4_TO_8 }, 'up 20, down 4'],
    ['an outage that began before the day', { states: [[-9, 'down'], [6, 'degraded']] }, 'degraded 18, down 6'], // prettier-ignore
    ['an ongoing outage', { states: [[-9, 'up'], [6, 'down']] }, 'up 6, down 18'], // prettier-ignore
    ['a gap', { gaps: [[3, 7]] }, 'up 20, unknown 4'],
    ['overlapping gap and absence', { gaps: [[3, 7]], absences: [[5, 9]] }, 'up 18, unknown 6'],
    ['an ongoing absence', { absences: [[20, null]] }, 'up 20, unknown 4'],
    ['a state that holds', { now: 12, tail: [10, 12] }, 'up 12'],
    ['a state that no longer holds', { now: 13, tail: [10, 12] }, 'up 10, unknown 3'],
    ['paused over down', { states: DOWN_4_TO_8, paused: [[5, 7]] }, 'up 20, down 2, paused 2'],
    ['paused, open', { paused: [[20, null]] }, 'up 20, paused 4'],
    ['paused, open, today', { now: 22, paused: [[20, null]] }, 'up 20, paused 2'],
    ['maintenance over down', { states: DOWN_4_TO_8, maintenance: [[4, 8]] }, 'up 20, maintenance 4'],
    ['exclusion over down', { states: DOWN_4_TO_8, excluded: [[6, 10]] }, 'up 18, down 2, excluded 4'],
    ['maintenance over unknown', { gaps: [[3, 7]], maintenance: [[5, 9]] }, 'up 18, maintenance 4, unknown 2'],
    [
      'every kind over the next',
      { gaps: [[0, 10]], excluded: [[0, 8]], maintenance: [[0, 6]], paused: [[0, 4]] },
      'up 14, maintenance 2, paused 4, excluded 2, unknown 2',
    ],
    ['overlapping and nested windows', { maintenance: [[2, 8], [3, 4], [6, 9]] }, 'up 17, maintenance 7'], // prettier-ignore
    ['windows outside the day', { maintenance: [[-9, 0], [24, 30]] }, 'up 24'], // prettier-ignore
    ['an empty window', { maintenance: [[5, 5]] }, 'up 24'],
    ['a window that extends into the future', { now: 12, maintenance: [[10, 20]] }, 'up 10, maintenance 2'],
  ])('counts correctly with %s', (_, given, expected) => {
    const { days, totals } = computeUptime(inputOf(given));
    expect(written(days[0]!)).toBe(expected);
    expect(written(totals)).toBe(expected);
  });
});

describe('figures', () => {
  it('are assigned per day: times, incidents and the worst kind', () => {
    const { days, totals, outages } = computeUptime(
      inputOf({
        days: 4,
        now: 80,
        states: [[-10, 'up'], [22, 'down'], [27, 'up'], [30, 'down'], [31, 'up'], [60, 'down']], // prettier-ignore
        maintenance: [[26, 32]],
        gaps: [[50, 51]],
      }),
    );
    expect(days.map((day) => [day.date, written(day), day.status, day.incidentCount, day.uptimePercent])).toEqual([
      ['2026-11-18', 'up 22, down 2', 'down', 1, 91.666],
      ['2026-11-19', 'up 16, down 2, maintenance 6', 'down', 1, 88.888],
      ['2026-11-20', 'up 11, down 12, unknown 1', 'down', 1, 47.826],
      ['2026-11-21', 'down 8', 'down', 1, 0],
    ]);
    expect(totals).toMatchObject({ elapsedMs: 80 * HOUR_MS, incidentCount: 2, longestOutageMs: 20 * HOUR_MS });
    expect(totals.coveragePercent).toBe(91.25);
    expect(outages).toEqual(spans([[22, 27], [30, 31], [60, null]])); // prettier-ignore
  });

  it('count an incident that maintenance interrupts once', () => {
    const { totals, outages } = computeUptime(
      inputOf({ states: [[-9, 'up'], [2, 'down'], [12, 'up']], maintenance: [[4, 8]] }), // prettier-ignore
    );
    expect(totals).toMatchObject({ incidentCount: 1, longestOutageMs: 6 * HOUR_MS });
    expect(outages).toEqual(spans([[2, 12]]));
  });

  it('count the outages of a flapping target as one incident from the third within an hour on', () => {
    const minute = 1 / 60;
    const flaps = Array.from({ length: 6 }, (_, index): [number, ConfirmedStatus][] => [
      [1 + index * 10 * minute, 'down'],
      [1 + (index * 10 + 2) * minute, 'up'],
    ]);
    const { totals, outages } = computeUptime(inputOf({ states: [[-10, 'up'], ...flaps.flat()] }));
    expect(outages).toHaveLength(6);
    expect(totals).toMatchObject({ incidentCount: 3, downMs: 12 * 60_000, longestOutageMs: 2 * 60_000 });
  });

  it('count only the down time within the window, while outages keep their full length', () => {
    const { totals, outages } = computeUptime(inputOf({ states: [[-20, 'down'], [30, 'up']] })); // prettier-ignore
    expect(outages).toEqual(spans([[-20, 30]]));
    expect(totals).toMatchObject({ incidentCount: 1, longestOutageMs: 24 * HOUR_MS, uptimePercent: 0 });
  });

  it('include only the outages that overlap the elapsed window', () => {
    const touching: [number, ConfirmedStatus][] = [[-4, 'down'], [0, 'up'], [5, 'down'], [6, 'up'], [24, 'down'], [30, 'up']]; // prettier-ignore
    expect(computeUptime(inputOf({ states: touching })).outages).toEqual(spans([[5, 6]]));
    expect(computeUptime(inputOf({ states: touching, days: 2, now: 24 })).outages).toEqual(spans([[5, 6]]));
  });

  it.each<[string, Given]>([
    ['only unknown', { states: [] }],
    ['only paused', { paused: [[0, null]] }],
    ['not begun', { now: -5 }],
  ])('have no uptime if nothing was monitored: %s', (_, given) => {
    const { days, totals } = computeUptime(inputOf(given));
    expect([days[0]!.uptimePercent, totals.uptimePercent]).toEqual([null, null]);
  });

  it('are below 100% after a single millisecond down in a year', () => {
    const input = inputOf({ days: 365, now: 24 * 365 });
    const transitions = [
      { at: hours(-1), confirmedAt: hours(-1), to: 'up' },
      { at: hours(5), confirmedAt: hours(5), to: 'down' },
      { at: hours(5) + 1, confirmedAt: hours(5) + 1, to: 'up' },
    ] as const;
    const { totals } = computeUptime({ ...input, locations: [{ ...input.locations[0]!, transitions }] });
    expect(totals).toMatchObject({ downMs: 1, uptimePercent: 99.999, incidentCount: 1, longestOutageMs: 1 });
  });
});

it('computes 90 days with 2,000 transitions at three locations in under 50 ms of CPU time', () => {
  const step = (90 * DAY_MS) / 2_000;
  const statuses: ConfirmedStatus[] = ['up', 'down', 'degraded'];
  const every = (offset: number): LocationHistory => ({
    transitions: Array.from({ length: 2_000 }, (_, i) => {
      const at = START + i * step + offset;
      return { at, confirmedAt: at, to: statuses[i % 3]! };
    }),
    gaps: Array.from({ length: 300 }, (_, i) => ({ from: START + i * 6 * step, to: START + i * 6 * step + HOUR_MS })),
    absences: [],
    tail: null,
  });
  const input: UptimeInput = {
    ...inputOf({ days: 90, now: 90 * 24 }),
    locations: [every(0), every(1_000), every(2_000)],
    spans: { paused: [], maintenance: every(0).gaps, excluded: every(7).gaps },
  };
  const times = Array.from({ length: 10 }, () => {
    const before = cpuMs();
    computeUptime(input);
    return cpuMs() - before;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
