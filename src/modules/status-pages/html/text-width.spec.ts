import { describe, expect, it } from '@jest/globals';
import { graphemes, textWidth } from './text-width.js';

describe('the width of a text', () => {
  // Measured of Verdana at 11 px.
  it.each([
    ['', 0],
    ['operational', 62],
    ['99.982 %', 54],
    ['Checkout', 51.5],
    ['WWWiiilll', 50.7],
    ['Zürich', 35],
    ['not checked yet', 88],
    ['Payments API (EU)', 105],
    ['世界', 22],
    ['한국어', 33],
  ])('of %s is about %s px', (text, px) => {
    expect(Math.abs(textWidth(text) - px)).toBeLessThanOrEqual(1);
  });

  it('counts no accent, no joiner and no direction mark', () => {
    expect(textWidth(`e${'\u0301'.repeat(50)}`)).toBe(textWidth('e'));
    expect(textWidth('Z\u0308')).toBe(textWidth('Z'));
    expect(textWidth('👩‍👩‍👧')).toBe(textWidth('😀'));
    expect(graphemes('👩‍👩‍👧e\u0301x')).toHaveLength(3);
  });

  it('is known for all of ASCII', () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    // What is not listed would be as wide as any stranger.
    expect(ascii.filter((one) => textWidth(one) === textWidth('ж') && !'ABSVXZ'.includes(one))).toEqual([]);
  });
});
