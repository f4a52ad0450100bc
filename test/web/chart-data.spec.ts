import { describe, expect, it } from '@jest/globals';
import { axisText, type ChartStep, lineStyle, millisecondsText, stackedLayers } from '../../src/web/chart-data.js';

const EMPTY = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null };
const step = (phases: Partial<ChartStep>, count = 1): ChartStep => {
  return { ...EMPTY, fromMs: 0, count, p50Ms: null, p95Ms: null, ...phases };
};

describe('stackedLayers', () => {
  it('stacks each phase on those before it, and returns the topmost layer first', () => {
    const layers = stackedLayers([step({ connectMs: 1, firstByteMs: 10 }), step({ connectMs: 2, firstByteMs: 20 })]);
    expect(layers).toEqual([
      { phase: 'firstByteMs', label: 'First byte', values: [11, 22] },
      { phase: 'connectMs', label: 'Connect', values: [1, 2] },
    ]);
  });

  it('leaves a gap for a step without checks, and counts a phase that was not reached as 0', () => {
    const layers = stackedLayers([step({ connectMs: 1 }), step({}, 0), step({ connectMs: 3, tlsMs: 4 })]);
    expect(layers.map(({ values }) => values)).toEqual([
      [1, null, 7],
      [1, null, 3],
    ]);
  });

  it('returns no layers if no phase took any time', () => {
    expect(stackedLayers([step({ dnsMs: 0 }), step({}, 0)])).toEqual([]);
    expect(stackedLayers([])).toEqual([]);
  });
});

it('draws twelve lines that differ in their colour or their dashes', () => {
  const styles = Array.from({ length: 12 }, (_, index) => JSON.stringify(lineStyle(index)));
  expect(new Set(styles).size).toBe(12);
});

it.each([
  [null, '–'],
  [undefined, '–'],
  [0, '0 ms'],
  [1.54, '1.5 ms'],
  [9.96, '10.0 ms'],
  [10.4, '10 ms'],
  [9_999, '9999 ms'],
  [12_345, '12.3 s'],
])('formats %p ms as %s', (ms, text) => expect(millisecondsText(ms)).toBe(text));

describe('axisText', () => {
  const HOUR = 3_600;
  const evening = new Date(2026, 10, 21, 22, 0).getTime() / 1_000;

  it.each([
    ['en-GB', HOUR, '22:00'],
    ['en-US', HOUR, '10:00 PM'],
    ['de-DE', HOUR, '22:00'],
    ['en-GB', 24 * HOUR, '21 Nov'],
    ['en-US', 24 * HOUR, 'Nov 21'],
  ])('writes an evening for %s at steps of %d s as %s', (locale, step, text) => {
    expect(axisText(evening, step, locale).replace(/\s/g, ' ')).toBe(text);
  });

  it('writes the date at midnight, so that days can be told apart', () => {
    expect(axisText(evening + 2 * HOUR, HOUR, 'en-GB')).toBe('22 Nov');
  });
});
