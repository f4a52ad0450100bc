import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MINUTE_MS } from './durations.js';
import { CALM_MS, FLAP_WINDOW_MS, incidentsOf } from './incident-timeline.js';
import { type Span } from './span.js';

const NOW = 600;

/** Converts minutes to spans. */
const spans = (...list: [number, number | null][]): Span[] =>
  list.map(([from, to]) => ({ from: from * MINUTE_MS, to: to === null ? null : to * MINUTE_MS }));

/** Returns each incident as `[startedAt, resolvedAt, settlesAt, outages]`, in minutes. */
function told(runs: Span[], maintenance: Span[] = [], nowMinute = NOW) {
  const minutes = (ms: number | null): number | null => (ms === null ? null : ms / MINUTE_MS);
  return incidentsOf(runs, maintenance, nowMinute * MINUTE_MS).map((one) => [
    minutes(one.startedAt),
    minutes(one.resolvedAt),
    minutes(one.settlesAt),
    one.outages.length,
  ]);
}

describe('an outage', () => {
  it.each<[string, [number, number | null], [number, number | null][], unknown[]]>([
    ['is an incident', [10, 20], [], [[10, 20, null, 1]]],
    ['that lasts is an open incident', [10, null], [], [[10, null, null, 1]]],
    ['before maintenance is an incident', [10, 20], [[20, 30]], [[10, 20, null, 1]]],
    ['entirely within maintenance is not an incident', [10, 20], [[10, 20]], []],
    [
      'entirely within two adjacent maintenance spans is not an incident',
      [10, 20],
      [
        [5, 15],
        [15, 25],
      ],
      [],
    ],
    ['that lasts during ongoing maintenance is not an incident yet', [10, null], [[5, null]], []],
    ['that outlasts maintenance begins at the end of the maintenance', [10, 40], [[5, 30]], [[30, 40, null, 1]]],
    ['that ends in maintenance is resolved at its recovery', [10, 40], [[30, 50]], [[10, 40, null, 1]]],
    ['that maintenance interrupts is a single incident', [10, 40], [[20, 30]], [[10, 40, null, 1]]],
    ['slightly longer than maintenance is an incident', [10, 20], [[10, 19.999]], [[19.999, 20, null, 1]]],
  ])('%s', (_, outage, maintenance, expected) => {
    expect(told(spans(outage), spans(...maintenance))).toEqual(expected);
  });

  it('is an incident from the millisecond in which it is confirmed, except during maintenance', () => {
    expect(told(spans([10, null]), [], 10)).toEqual([[10, null, null, 1]]);
    expect(told(spans([10, null]), spans([10, 20]), 10)).toEqual([]);
    expect(told(spans([10, null]), spans([10, 20]), 20)).toEqual([[20, null, null, 1]]);
  });
});

describe('a flapping target', () => {
  const calm = CALM_MS / MINUTE_MS;
  const flaps: [number, number][] = [[0, 2], [4, 6], [8, 10]]; // prettier-ignore

  it('has separate incidents up to the third outage within an hour, which absorbs those that follow soon', () => {
    expect(told(spans(...flaps, [12, 14], [14 + calm - 1, 40]))).toEqual([
      [0, 2, null, 1],
      [4, 6, null, 1],
      [8, 40, null, 3],
    ]);
  });

  it('is resolved only after a time without an outage, as of its recovery', () => {
    expect(told(spans(...flaps), [], 10 + calm - 0.001).at(-1)).toEqual([8, null, 10 + calm, 1]);
    expect(told(spans(...flaps), [], 10 + calm).at(-1)).toEqual([8, 10, null, 1]);
  });

  it('has a new incident after that time without an outage', () => {
    expect(told(spans(...flaps, [10 + calm, 30])).slice(2)).toEqual([
      [8, 10, null, 1],
      [10 + calm, 30, null, 1],
    ]);
  });

  it('is not flapping if three outages begin over more than an hour', () => {
    const hour = FLAP_WINDOW_MS / MINUTE_MS;
    expect(told(spans([0, 1], [30, 31], [hour, hour + 1], [hour + 2, hour + 3]))).toHaveLength(4);
    expect(told(spans([0.001, 1], [30, 31], [hour, hour + 1], [hour + 2, hour + 3]))).toHaveLength(3);
    expect(told(spans([0, 1], [30, 31], [hour, hour + 1], [hour + 31, hour + 32]))).toHaveLength(4);
  });

  it('is not flapping because of outages in maintenance', () => {
    expect(told(spans(...flaps, [12, 14]), spans([0, 11]))).toEqual([[12, 14, null, 1]]);
  });
});

it('assigns every outage outside maintenance to exactly one incident, in order and without overlap', () => {
  const histories = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(histories, fc.integer({ min: 0, max: 100 }), (lengths, later) => {
      let at = 0;
      const runs = lengths.map(([up, down]) => ({ from: (at += up) * MINUTE_MS, to: (at += down) * MINUTE_MS }));
      const nowMs = (at + later) * MINUTE_MS;
      const incidents = incidentsOf(runs, [], nowMs);
      expect(incidents.flatMap(({ outages }) => outages)).toEqual(runs);
      for (const [index, incident] of incidents.entries()) {
        expect(incident.startedAt).toBe(incident.outages[0]!.from);
        const isLast = index === incidents.length - 1;
        if (!isLast) expect(incident.resolvedAt).toBeLessThan(incidents[index + 1]!.startedAt);
        if (incident.resolvedAt === null) expect(isLast && incident.settlesAt! > nowMs).toBe(true);
        else expect(incident.resolvedAt).toBe(incident.outages.at(-1)!.to);
      }
    }),
  );
});
