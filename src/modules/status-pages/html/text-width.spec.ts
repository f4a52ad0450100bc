import { describe, expect, it } from '@jest/globals';
import { graphemes, textWidth } from './text-width.js';

describe('textWidth', () => {
  // Measured with Verdana at 11 px.
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
  ])('estimates the width of "%s" as about %s px', (text, px) => {
    expect(Math.abs(textWidth(text) - px)).toBeLessThanOrEqual(1);
  });

  it('does not count accents, joiners and direction marks', () => {
    expect(textWidth(`e${'\u0301'.repeat(50)}`)).toBe(textWidth('e'));
    expect(textWidth('Z\u0308')).toBe(textWidth('Z'));
    expect(textWidth('👩‍👩‍👧')).toBe(textWidth('😀'));
    expect(graphemes('👩‍👩‍👧e\u0301x')).toHaveLength(3);
  });

  it('lists the width of every ASCII character', () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    // A character that is not listed has the default width.
    expect(ascii.filter((one) => textWidth(one) === textWidth('ж') && !'ABSVXZ'.includes(one))).toEqual([]);
  });
});
