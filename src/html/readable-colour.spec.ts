import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DARK_GROUNDS, LIGHT_GROUNDS } from './palette.js';
import { contrast, readableOn } from './readable-colour.js';

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const THEMES = [
  ['light', LIGHT_GROUNDS],
  ['dark', DARK_GROUNDS],
] as const;
const least = (colour: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrast(colour, ground)));

describe('contrast', () => {
  // Values of the contrast checkers of WebAIM and axe.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#00ff00', '#000000', 15.3],
    ['#0a0a0a', '#000000', 1.06],
  ])('of %s to %s is %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 1);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });
});

describe('readableOn', () => {
  it.each([
    ['a dark colour on light ground', '#5f3dc4', LIGHT_GROUNDS, '#5f3dc4'],
    ['a bright colour on dark ground', '#ffd43b', DARK_GROUNDS, '#ffd43b'],
    ['a colour with just enough contrast', '#767676', ['#ffffff'], '#767676'],
    ['a colour with just too little contrast', '#777777', ['#ffffff'], '#767676'],
    ['black on black', '#000000', ['#000000'], '#757575'],
    ['white on white', '#ffffff', ['#ffffff'], '#767676'],
    ['a colour that keeps its hue, darker', '#ff0000', ['#ffffff'], '#ee0000'],
    ['a colour on a medium ground, where black is more readable than white', '#808080', ['#808080'], '#171717'],
    [
      'a colour on grounds where none is readable, the better of black and white',
      '#123456',
      ['#000000', '#777777', '#ffffff'],
      '#ffffff',
    ],
  ])('returns for %s: %s', (_, colour, grounds, expected) => {
    expect(readableOn(colour, grounds)).toBe(expected);
  });

  it.each(THEMES)('returns a readable colour in the %s theme for any colour', (_, grounds) => {
    fc.assert(
      fc.property(anyColour, (colour) => least(readableOn(colour, grounds), grounds) >= 4.5),
      {
        numRuns: 300,
      },
    );
  });

  it.each(THEMES)('changes the colour as little as possible in the %s theme', (_, grounds) => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const readable = readableOn(colour, grounds);
        if (least(colour, grounds) >= 4.5) expect(readable).toBe(colour);
        // One step changes the contrast only slightly, so the first readable colour is just above the limit.
        else expect(least(readable, grounds)).toBeLessThan(4.7);
      }),
      { numRuns: 300 },
    );
  });
});
