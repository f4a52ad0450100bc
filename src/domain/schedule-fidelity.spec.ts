import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../test/support/cpu-time.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { DAY_MS, HOUR_MS } from './durations.js';
import { nextSlotAfter, phaseMs } from './schedule.js';
import {
  besideDue,
  countSlots,
  dueBefore,
  dueSlots,
  EDGE_MS,
  fidelityOf,
  type ScheduleInput,
} from './schedule-fidelity.js';
import { dayStart } from './utc-day.js';

const ID = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';
const START = Date.UTC(2026, 10, 18);

/** Three past days with one check per minute and no pauses. */
function input(more: Partial<ScheduleInput> = {}): ScheduleInput {
  return {
    monitorId: ID,
    createdAtMs: START - DAY_MS,
    paused: [],
    schedules: [{ from: START - DAY_MS, intervalMs: 60_000, locations: 1 }],
    fromMs: START,
    toMs: START + 3 * DAY_MS,
    dueMs: START + 10 * DAY_MS,
    ...more,
  };
}

describe('countSlots', () => {
  it.each([
    // phase, interval, from, to, slots
    [0, 10, 0, 10, 1],
    [0, 10, 0, 11, 2],
    [0, 10, 1, 10, 0],
    [0, 10, 1, 11, 1],
    [3, 10, 3, 4, 1],
    [3, 10, 4, 13, 0],
    [3, 10, 4, 14, 1],
    [3, 10, -7, 4, 2],
    [3, 10, 5, 5, 0],
    [3, 10, 25, 5, 0],
    [0, 1, 0, 1_000_000, 1_000_000],
  ])('for phase %d and interval %d, from %d to before %d, returns %d', (phase, intervalMs, from, to, slots) => {
    expect(countSlots(phase, intervalMs, from, to)).toBe(slots);
  });

  it('returns the same as counting slot by slot', () => {
    const moment = fc.integer({ min: START, max: START + HOUR_MS });
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 90_000 }), fc.nat(), moment, moment, (intervalMs, any, from, to) => {
        const phase = any % intervalMs;
        let walked = 0;
        for (let slot = nextSlotAfter(phase, intervalMs, from - 1); slot < to; slot += intervalMs) walked += 1;
        expect(countSlots(phase, intervalMs, from, to)).toBe(walked);
      }),
    );
  });
});

describe('dueSlots', () => {
  const phase = phaseMs(ID, 60_000);
  const first = START + phase;

  it.each<[string, Partial<ScheduleInput>, number[]]>([
    ['no changes', {}, [1_440, 1_440, 1_440]],
    ['two locations', { schedules: [{ from: START, intervalMs: 60_000, locations: 2 }] }, [2_880, 2_880, 2_880]],
    [
      'a check every second',
      { schedules: [{ from: START, intervalMs: 1_000, locations: 1 }] },
      [86_400, 86_400, 86_400],
    ],
    ['a pause of an hour', { paused: [{ from: first + 1_000, to: first + HOUR_MS + 1_000 }] }, [1_380, 1_440, 1_440]],
    ['an ongoing pause', { paused: [{ from: START + DAY_MS - EDGE_MS, to: null }] }, [1_440, 0, 0]],
    [
      'pauses that overlap',
      {
        paused: [
          { from: first + 1_000, to: first + HOUR_MS + 1_000 },
          { from: first + 2_000, to: first + HOUR_MS },
        ],
      },
      [1_380, 1_440, 1_440],
    ],
    ['creation at noon', { createdAtMs: START + DAY_MS / 2 - EDGE_MS }, [720, 1_440, 1_440]],
    ['creation after the window', { createdAtMs: START + 5 * DAY_MS }, [0, 0, 0]],
    ['nothing due yet', { dueMs: START - 1 }, [0, 0, 0]],
    ['the first slot just due', { dueMs: first }, [1, 0, 0]],
    ['the first slot not quite due', { dueMs: first - 1 }, [0, 0, 0]],
    [
      'another interval at midnight',
      {
        schedules: [
          { from: START, intervalMs: 60_000, locations: 1 },
          { from: START + DAY_MS - EDGE_MS, intervalMs: 1_000, locations: 1 },
        ],
      },
      [1_440, 86_400, 86_400],
    ],
    [
      'a schedule that was written again without a change',
      {
        schedules: [
          { from: START, intervalMs: 60_000, locations: 1 },
          { from: first + 60_000, intervalMs: 60_000, locations: 1 },
        ],
      },
      [1_440, 1_440, 1_440],
    ],
  ])('returns the due slots with %s', (_, more, expected) => {
    expect(dueSlots(input(more))).toEqual(expected);
  });

  it.each<[string, Partial<ScheduleInput>]>([
    ['at creation', { createdAtMs: first + 60_000 }],
    ['after creation, within the edge', { createdAtMs: first + 60_000 - EDGE_MS + 1 }],
    ['at the start of a pause', { paused: [{ from: first + 120_000 + EDGE_MS, to: null }] }],
    ['at the end of a pause', { paused: [{ from: START - 1, to: first + 60_000 }] }],
  ])('does not count a slot %s', (_, more) => {
    const dueMs = first + 180_000;
    const around = dueSlots(input({ ...more, dueMs }));
    expect(around[0]).toBe(2);
  });

  it('takes the same time for a year of one-second intervals as for a year of one-day intervals', () => {
    const schedules = Array.from({ length: 400 }, (_, index) => ({
      from: START + index * DAY_MS,
      intervalMs: index % 2 === 0 ? 1_000 : 2_000,
      locations: 1,
    }));
    const before = cpuMs();
    const days = dueSlots(input({ schedules, toMs: START + 365 * DAY_MS, dueMs: START + 400 * DAY_MS }));
    expect(cpuMs() - before).toBeLessThan(500);
    expect(days).toHaveLength(365);
    expect(days[0]).toBeGreaterThan(86_390);
  });

  it('returns the same as testing each slot, for any pauses, changes and due times', () => {
    const minute = fc.integer({ min: -600, max: 3_000 }).map((at) => START + at * 60_000);
    const changes = fc.array(fc.tuple(minute, fc.constantFrom(7_000, 60_000, 90_000), fc.integer({ min: 1, max: 3 })), {
      minLength: 1,
      maxLength: 4,
    });
    const pauses = fc.array(fc.tuple(minute, fc.option(minute)), { maxLength: 4 });
    fc.assert(
      fc.property(changes, pauses, minute, minute, (list, paused, createdAtMs, dueMs) => {
        const schedules = list
          .map(([from, intervalMs, locations]) => ({ from: Math.max(from, createdAtMs), intervalMs, locations }))
          .sort((a, b) => a.from - b.from);
        const given = input({
          schedules,
          createdAtMs,
          dueMs,
          toMs: START + 2 * DAY_MS,
          paused: paused.map(([from, to]) => ({ from, to })),
        });
        expect(dueSlots(given)).toEqual(askEachSlot(given));
      }),
      propertyRuns(50),
    );
  });
});

describe('besideDue', () => {
  const phase = phaseMs(ID, 60_000);
  const first = START + phase;
  const tail = { from: first + HOUR_MS + 1, to: START + 3 * DAY_MS };
  const edge = (at: number) => ({ from: at - EDGE_MS, to: at + EDGE_MS });

  it.each<[string, Partial<ScheduleInput>, unknown[]]>([
    ['no changes', {}, []],
    ['creation in the window', { createdAtMs: first }, [edge(first)]],
    [
      'a pause',
      { paused: [{ from: first + 60_000, to: first + 120_000 }] },
      [edge(first + 60_000), edge(first + 120_000)],
    ],
    [
      'a pause that is shorter than its edges',
      { paused: [{ from: first + 60_000, to: first + 60_100 }] },
      [{ from: first + 60_000 - EDGE_MS, to: first + 60_100 + EDGE_MS }],
    ],
    [
      'another interval',
      {
        schedules: [
          { from: START, intervalMs: 60_000, locations: 1 },
          { from: first + 60_000, intervalMs: 1_000, locations: 1 },
        ],
      },
      [edge(first + 60_000)],
    ],
  ])('returns the spans with %s', (_, more, expected) => {
    expect(besideDue(input({ ...more, dueMs: first + HOUR_MS }))).toEqual([...expected, tail]);
  });

  it('does not let an unexpected check hide a missed slot', () => {
    const minute = fc.integer({ min: -60, max: 600 }).map((at) => first + at * 60_000);
    const near = fc.tuple(minute, fc.integer({ min: -400, max: 400 })).map(([at, off]) => at + off);
    const pauses = fc.array(fc.tuple(near, near), { maxLength: 4 });
    fc.assert(
      fc.property(near, pauses, near, fc.nat(), (createdAtMs, paused, dueMs, seed) => {
        const given = input({
          createdAtMs,
          dueMs,
          toMs: START + DAY_MS,
          paused: paused.map(([from, to]) => ({ from, to: Math.max(from, to) })),
        });
        const [due = 0] = dueSlots(given);
        const beside = besideDue(given);
        const isIn = (slot: number): boolean => beside.some(({ from, to }) => from <= slot && slot < to);
        // Every third slot was not executed; outside of pauses, and a moment into them, the others were.
        const slots = Array.from({ length: 600 }, (_, index) => first + index * 60_000);
        const ran = slots.filter((slot, index) => (index + seed) % 3 > 0 && (isIn(slot) || isDue(given, slot)));
        const missed = slots.filter((slot) => isDue(given, slot) && !ran.includes(slot)).length;
        const counted = { executed: ran.length, late: 0, beside: ran.filter(isIn).length };
        const rest = due - slots.filter((slot) => isDue(given, slot)).length;
        expect(fidelityOf(due, counted).missed).toBe(missed + rest);
      }),
      propertyRuns(100),
    );
  });
});

/** Returns whether the slot is due. */
function isDue(given: ScheduleInput, slot: number): boolean {
  return (
    dueSlots({ ...given, dueMs: Math.min(given.dueMs, slot) })[0]! >
    dueSlots({ ...given, dueMs: Math.min(given.dueMs, slot - 1) })[0]!
  );
}

/** A literal implementation of the rule, which tests each slot of each interval. */
function askEachSlot({ schedules, createdAtMs, paused, fromMs, toMs, dueMs }: ScheduleInput): number[] {
  const at = (ms: number) => {
    if (ms < createdAtMs) return null;
    if (paused.some(({ from, to }) => from <= ms && ms < (to ?? Infinity))) return null;
    return schedules.findLast(({ from }) => from <= ms) ?? schedules[0]!;
  };
  const days = new Array<number>((toMs - fromMs) / DAY_MS).fill(0);
  for (const intervalMs of new Set(schedules.map((one) => one.intervalMs))) {
    const phase = phaseMs(ID, intervalMs);
    for (let slot = nextSlotAfter(phase, intervalMs, fromMs - 1); slot < toMs && slot <= dueMs; slot += intervalMs) {
      // Scheduled at this moment, a moment before and a moment after.
      const seen = [slot - EDGE_MS, slot, slot + EDGE_MS - 1].map(at);
      const [now] = seen;
      const same = seen.every((one) => one && one.intervalMs === intervalMs && one.locations === now?.locations);
      if (same) days[(dayStart(slot) - fromMs) / DAY_MS]! += now!.locations;
    }
  }
  return days;
}

describe('fidelityOf', () => {
  it.each([
    // due, executed, late, beside → expected, missed
    [10, 10, 0, 0, 10, 0],
    [10, 8, 1, 0, 10, 2],
    [10, 12, 0, 2, 12, 0],
    // Checks at unexpected slots do not hide a missed one.
    [10, 10, 0, 2, 12, 2],
    [10, 11, 0, 0, 11, 0],
    [0, 0, 0, 0, 0, 0],
  ])(
    'for %d due, %d executed, %d late and %d beside, returns %d expected and %d missed',
    (due, executed, late, beside, expected, missed) => {
      expect(fidelityOf(due, { executed, late, beside })).toEqual({ expected, executed, late, missed });
    },
  );
});

it('expects a check to be recorded within its timeout plus five seconds', () => {
  expect(dueBefore(100_000, 10_000)).toBe(85_000);
});
