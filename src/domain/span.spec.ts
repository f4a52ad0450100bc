import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundaries, coverage, endsOf, risingCover, type Span } from './span.js';

describe('coverage', () => {
  it.each<[string, [number, number | null][], [number, number][]]>([
    ['nothing', [], []],
    ['a span inside', [[10, 20]], [[10, 20]]],
    ['a span across both ends', [[-5, 500]], [[0, 100]]],
    ['an open span', [[40, null]], [[40, 100]]],
    ['spans before and after', [[-9, 0], [100, 120]], []], // prettier-ignore
    ['empty and reversed spans', [[5, 5], [9, 3]], []], // prettier-ignore
    ['overlapping spans', [[10, 30], [20, 40]], [[10, 40]]], // prettier-ignore
    ['nested spans', [[10, 40], [20, 30]], [[10, 40]]], // prettier-ignore
    ['adjacent spans', [[10, 20], [20, 30]], [[10, 30]]], // prettier-ignore
    ['unordered spans', [[50, 60], [10, 20]], [[10, 20], [50, 60]]], // prettier-ignore
    ['an open span over others', [[30, 40], [20, null], [5, 6]], [[5, 6], [20, 100]]], // prettier-ignore
  ])('covers %s', (_, spans, covered) => {
    const given = spans.map(([from, to]) => ({ from, to }));
    expect(coverage(given, 0, 100).map(({ from, to }) => [from, to])).toEqual(covered);
  });

  it('agrees with testing every span at every moment', () => {
    const end = fc.integer({ min: -10, max: 60 });
    const span: fc.Arbitrary<Span> = fc.record({ from: end, to: fc.option(end) });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), (spans) => {
        const covered = coverage(spans, 0, 50);
        const isCovered = risingCover(covered);
        for (let at = -5; at < 55; at += 1) {
          const expected = at >= 0 && at < 50 && spans.some(({ from, to }) => from <= at && at < (to ?? Infinity));
          expect(isCovered(at)).toBe(expected);
        }
        expect(boundaries(0, 50, endsOf(covered))).toEqual(endsOf(covered));
      }),
    );
  });
});
