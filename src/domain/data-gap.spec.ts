import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gapBetween, holdsUntil, type SeenCheck } from './data-gap.js';
import { MINUTE_MS } from './durations.js';
import { nextSlotAfter, phaseMs, slotAtOrBefore } from './schedule.js';
import { type Span } from './span.js';

const MONITOR_ID = '01932d3e-7b4c-7d1f-8a2b-3c4d5e6f7081';
const phase = phaseMs(MONITOR_ID, MINUTE_MS);
/** A slot of a one-minute schedule; times in the tables are relative to it. */
const SLOT = slotAtOrBefore(phase, MINUTE_MS, Date.UTC(2026, 10, 20));

const seconds = (value: number) => SLOT + value * 1_000;
const check = (at: number, slot = at, intervalMs = MINUTE_MS): SeenCheck => ({
  checkedAt: seconds(at),
  scheduledAt: seconds(slot),
  intervalMs,
});
const spans = (list: [number, number | null][]): Span[] =>
  list.map(([from, to]) => ({ from: seconds(from), to: to === null ? null : seconds(to) }));

describe('gapBetween', () => {
  it.each<[string, SeenCheck, SeenCheck, [number, number | null][], [number, number] | null]>([
    ['the next slot', check(0), check(60), [], null],
    ['the next slot, both with lag', check(1, 0), check(62, 60), [], null],
    ['the next slot, almost a minute late', check(0), check(119.999, 60), [], null],
    ['the slot after the next, which passed without a check', check(0), check(120), [], [60, 120]],
    ['much later', check(0), check(1_000), [], [60, 1_000]],
    ['a retry in between', check(20, 0), check(60), [], null],
    ['after a retry, one slot without a check', check(20, 0), check(121, 120), [], [60, 121]],
    ['just before a slot, then the slot after it', check(59), check(119), [], null],
    ['just before a slot, then at the end of a check as long as the interval', check(59.99), check(120.05), [], null],
    ['a second before a slot, then an interval and a second later', check(59), check(120), [], [60, 120]],
    ['a second before a slot, then a millisecond earlier than that', check(59), check(119.999), [], null],
    ['off the slots', check(30), check(119), [], null],
    ['a time just before its slot, then just after the next', check(-0.003, 0), check(60.005, 60), [], null],
    [
      'a time just before its slot, then the next slot without a check',
      check(-0.003, 0),
      check(120, 120),
      [],
      [60, 120],
    ],
    ['a slower schedule before', check(0, 0, 10 * MINUTE_MS), check(400), [], null],
    ['a slower schedule after', check(0), check(400, 400, 10 * MINUTE_MS), [], null],
    ['an absence over the slots', check(0), check(1_000), [[30, 990]], null],
    ['an absence, then a slot that is checked too late', check(0), check(1_090), [[30, 990]], [1_020, 1_090]],
    ['an absence that began after a slot without a check', check(0), check(1_000), [[70, 990]], [60, 1_000]],
    ['two absences, unordered and overlapping', check(0), check(1_000), [[500, 990], [50, 600]], null], // prettier-ignore
    ['an absence that ends at a slot, which counts', check(0), check(180), [[50, 120]], [120, 180]],
    ['an absence that begins at the slot', check(0), check(170), [[60, 119]], null],
    ['an open absence', check(0), check(10_000), [[50, null]], null],
    ['an empty absence', check(0), check(120), [[60, 60]], [60, 120]],
    ['an absence elsewhere', check(0), check(120), [[500, 900]], [60, 120]],
  ])('finds the gap for %s', (_, previous, next, excused, gap) => {
    expect(gapBetween(previous, next, { monitorId: MONITOR_ID, excused: spans(excused) })).toEqual(
      gap && { from: seconds(gap[0]), to: seconds(gap[1]) },
    );
  });

  it('finds no gap while each slot is checked in time, and always one if a slot passed without a check', () => {
    const lag = fc.nat(MINUTE_MS - 1);
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1_000, max: 86_400_000 }),
        lag,
        lag,
        fc.nat(5),
        (id, interval, a, b, missed) => {
          const slot = slotAtOrBefore(phaseMs(id, interval), interval, SLOT);
          // A check that began right before the next slot counts for that slot too.
          const latest = interval - Math.min(1_000, Math.ceil(interval / 2));
          const previous = { checkedAt: slot + (a % latest), scheduledAt: slot, intervalMs: interval };
          const next = slot + (missed + 1) * interval;
          const gap = gapBetween(
            previous,
            { checkedAt: next + (b % interval), scheduledAt: next, intervalMs: interval },
            { monitorId: id, excused: [] },
          );
          expect(gap).toEqual(missed === 0 ? null : { from: slot + interval, to: next + (b % interval) });
        },
      ),
    );
  });
});

describe('holdsUntil', () => {
  it.each<[string, SeenCheck | null, [number, number | null][], number | undefined, [number, number] | null]>([
    ['no result', null, [], undefined, null],
    ['a check at its slot', check(0), [], undefined, [60, 120]],
    ['a retry', check(20, 0), [], undefined, [60, 120]],
    ['a time before its slot', check(-0.003, 0), [], undefined, [60, 120]],
    ['an absence over the next slot', check(0), [[50, 70]], undefined, [120, 180]],
    ['an open absence', check(0), [[50, null]], undefined, null],
    ['a faster schedule now', check(0), [], 1_000, [60, 120]],
    ['a check right before a slot', check(59.99), [], undefined, [60, 120.99]],
    ['a check a second before a slot', check(59), [], undefined, [60, 120]],
  ])('returns the hold after %s', (_, last, excused, intervalMs, hold) => {
    expect(holdsUntil({ last }, { monitorId: MONITOR_ID, excused: spans(excused) }, intervalMs)).toEqual(
      hold && { missingFrom: seconds(hold[0]), until: seconds(hold[1]) },
    );
  });

  it('follows a slower schedule', () => {
    const tenMinutes = 10 * MINUTE_MS;
    const missingFrom = nextSlotAfter(phaseMs(MONITOR_ID, tenMinutes), tenMinutes, SLOT);
    const hold = holdsUntil({ last: check(0, -20) }, { monitorId: MONITOR_ID, excused: [] }, tenMinutes);
    expect(hold).toEqual({ missingFrom, until: missingFrom + tenMinutes });
  });

  it('agrees with the gap before the next result', () => {
    const at = fc.nat(3_000);
    const absence = fc.record({ from: at, to: at }).map(({ from, to }): [number, number] => [from, to]);
    fc.assert(
      fc.property(at, at, fc.array(absence, { maxLength: 3 }), (first, later, absences) => {
        const rules = { monitorId: MONITOR_ID, excused: spans(absences) };
        const previous = check(first);
        const next = check(first + later);
        const hold = holdsUntil({ last: previous }, rules)!;
        const gap = next.checkedAt >= hold.until ? { from: hold.missingFrom, to: next.checkedAt } : null;
        expect(gapBetween(previous, next, rules)).toEqual(gap);
      }),
    );
  });
});
