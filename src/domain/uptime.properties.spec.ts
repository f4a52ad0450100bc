import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOUR_MS } from './durations.js';
import { type ConfirmedStatus, type Quorum } from './quorum.js';
import { type Span } from './span.js';
import { type LocationHistory } from './state-timeline.js';
import { type TimeKind } from './uptime-figures.js';
import { computeUptime, type UptimeInput } from './uptime.js';

const START = Date.UTC(2026, 10, 18);
const hours = (value: number) => START + value * HOUR_MS;
const spans = (list: [number, number | null][]): Span[] =>
  list.map(([from, to]) => ({ from: hours(from), to: to === null ? null : hours(to) }));

const WINDOW_HOURS = 72;
const hour = fc.integer({ min: -6, max: WINDOW_HOURS + 6 });
const anySpans = fc.array(fc.tuple(hour, fc.option(hour)), { maxLength: 5 }).map((list) => spans(list));
const anyLocation: fc.Arbitrary<LocationHistory> = fc.record({
  transitions: fc
    .array(fc.tuple(hour, fc.constantFrom<ConfirmedStatus>('up', 'degraded', 'down')), { maxLength: 8 })
    .map((list) => list.sort((a, b) => a[0] - b[0]).map(([at, to]) => ({ at: hours(at), confirmedAt: hours(at), to }))),
  gaps: anySpans.map((list) => list.filter((span) => span.to !== null)),
  absences: fc.oneof(fc.constant([]), anySpans),
  tail: fc.option(
    fc.tuple(hour, fc.nat(3)).map(([from, length]) => ({ missingFrom: hours(from), until: hours(from + length) })),
  ),
});
const anyInput: fc.Arbitrary<UptimeInput> = fc.record({
  fromMs: fc.constant(START),
  toMs: fc.constant(hours(WINDOW_HOURS)),
  nowMs: hour.map(hours),
  createdAtMs: hour.map(hours),
  locations: fc.array(anyLocation, { maxLength: 3 }),
  quorum: fc.constantFrom<Quorum>('any', 'majority', 'all', 2),
  spans: fc.record({ paused: anySpans, maintenance: anySpans, excluded: anySpans }),
});

/** A literal implementation of the contract for one hour, which applies each rule to all data. */
function kindOfHour(input: UptimeInput, at: number): TimeKind {
  const within = (list: readonly Span[]) => list.some(({ from, to }) => from <= at && at < (to ?? Infinity));
  if (within(input.spans.paused)) return 'paused';
  if (within(input.spans.maintenance)) return 'maintenance';
  if (within(input.spans.excluded)) return 'excluded';
  if (at < input.createdAtMs) return 'unknown';
  const states = input.locations.flatMap(({ transitions, gaps, absences, tail }) => {
    const stale = tail !== null && input.nowMs > tail.until + 5_000 && at >= tail.missingFrom;
    const state = transitions.findLast((transition) => transition.at <= at)?.to;
    return stale || within(gaps) || within(absences) || state === undefined ? [] : [state];
  });
  if (states.length === 0) return 'unknown';
  const needed = {
    any: 1,
    majority: Math.floor(states.length / 2) + 1,
    all: states.length,
    2: Math.min(2, states.length),
  }[input.quorum as 'any' | 'majority' | 'all' | 2];
  const count = (status: ConfirmedStatus): number => states.filter((state) => state === status).length;
  if (count('down') >= needed) return 'down';
  return count('down') > 0 || count('degraded') >= needed ? 'degraded' : 'up';
}

describe('computeUptime', () => {
  it('agrees with an hourly implementation of the contract, and its kinds add up to the elapsed time', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { days, totals } = computeUptime(input);
        expect(days).toHaveLength(3);
        for (const [i, day] of days.entries()) {
          const expected = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, excluded: 0, unknown: 0 };
          let elapsed = 0;
          for (let at = hours(24 * i); at < Math.min(hours(24 * i + 24), input.nowMs); at += HOUR_MS) {
            expected[kindOfHour(input, at)] += HOUR_MS;
            elapsed += HOUR_MS;
          }
          const sum = day.upMs + day.degradedMs + day.downMs + day.maintenanceMs + day.pausedMs + day.excludedMs;
          expect(sum + day.unknownMs).toBe(elapsed);
          expect(day).toMatchObject({
            elapsedMs: elapsed,
            ...Object.fromEntries(Object.entries(expected).map(([kind, ms]) => [`${kind}Ms`, ms])),
          });
        }
        const elapsedMs = Math.max(0, Math.min(input.toMs, input.nowMs) - input.fromMs);
        expect(totals.elapsedMs).toBe(elapsedMs);
        expect(days.reduce((sum, day) => sum + day.downMs, 0)).toBe(totals.downMs);
      }),
      { numRuns: 500 },
    );
  });

  it('returns segments without gaps that differ from their neighbours and, if down, lie in outages', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { segments, outages, totals } = computeUptime(input);
        let at = input.fromMs;
        for (const [i, segment] of segments.entries()) {
          expect(segment.from).toBe(at);
          expect(segment.to).toBeGreaterThan(segment.from);
          expect(segment.kind).not.toBe(segments[i - 1]?.kind);
          if (segment.kind === 'down') {
            const { from, to } = segment;
            expect(outages.filter((one) => one.from <= from && to <= (one.to ?? Infinity))).toHaveLength(1);
          }
          at = segment.to;
        }
        expect(at).toBe(Math.max(input.fromMs, Math.min(input.toMs, input.nowMs)));
        expect(totals.longestOutageMs).toBeLessThanOrEqual(totals.downMs);
        expect(totals.incidentCount).toBeLessThanOrEqual(outages.length);
        expect(totals.incidentCount === 0).toBe(totals.downMs === 0);
      }),
    );
  });

  it('does not depend on the order of spans and locations, nor on whether a span is split in two', () => {
    const shuffled = <T>(list: readonly T[], seed: number) =>
      list.map((one, i) => ({ one, key: (seed * (i + 1)) % 7 })).sort((a, b) => a.key - b.key).map(({ one }) => one); // prettier-ignore
    const cut = (span: Span): Span[] => {
      const middle = span.from + HOUR_MS / 2;
      return middle < (span.to ?? Infinity) ? [{ from: middle, to: span.to }, { from: span.from, to: middle }] : [span]; // prettier-ignore
    };
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 6 }), (input, seed) => {
        const again = (list: readonly Span[]) => shuffled(list.flatMap(cut), seed);
        const { paused, maintenance, excluded } = input.spans;
        const other: UptimeInput = {
          ...input,
          locations: shuffled(input.locations, seed).map((one) => ({
            ...one,
            gaps: again(one.gaps),
            absences: again(one.absences),
          })),
          spans: { paused: again(paused), maintenance: again(maintenance), excluded: again(excluded) },
        };
        expect(computeUptime(other)).toEqual(computeUptime(input));
      }),
    );
  });

  it('returns the same for a day alone as for that day within a longer window', () => {
    fc.assert(
      fc.property(anyInput, fc.nat(2), (input, day) => {
        const alone = computeUptime({ ...input, fromMs: hours(24 * day), toMs: hours(24 * day + 24) });
        expect(alone.days).toEqual([computeUptime(input).days[day]]);
      }),
    );
  });
});
