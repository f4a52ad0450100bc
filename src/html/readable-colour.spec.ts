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
  // As the contrast checkers of WebAIM and axe tell it.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#00ff00', '#000000', 15.3],
    ['#0a0a0a', '#000000', 1.06],
  ])('of %s and %s is %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 1);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });
});

describe('readableOn', () => {
  it.each([
    ['a dark colour on light ground', '#5f3dc4', LIGHT_GROUNDS, '#5f3dc4'],
    ['a bright colour on dark ground', '#ffd43b', DARK_GROUNDS, '#ffd43b'],
    ['one that is just enough', '#767676', ['#ffffff'], '#767676'],
    ['one that is just too little', '#777777', ['#ffffff'], '#767676'],
    ['black on black', '#000000', ['#000000'], '#757575'],
    ['white on white', '#ffffff', ['#ffffff'], '#767676'],
    ['a colour that keeps its hue, darker', '#ff0000', ['#ffffff'], '#ee0000'],
    ['on a ground between, where black is read better than white', '#808080', ['#808080'], '#171717'],
    [
      'on grounds that no colour is read on, the better of black and white',
      '#123456',
      ['#000000', '#777777', '#ffffff'],
      '#ffffff',
    ],
  ])('%s: %s', (_, colour, grounds, expected) => {
    expect(readableOn(colour, grounds)).toBe(expected);
  });

  it.each(THEMES)('can be read in the %s theme, whatever the colour', (_, grounds) => {
    fc.assert(
      fc.property(anyColour, (colour) => least(readableOn(colour, grounds), grounds) >= 4.5),
      {
        numRuns: 300,
      },
    );
  });

  it.each(THEMES)('changes no more in the %s theme than it must', (_, grounds) => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const readable = readableOn(colour, grounds);
        if (least(colour, grounds) >= 4.5) expect(readable).toBe(colour);
        // A step of a channel changes the contrast by a little, so the first that can be read is hardly above the limit.
        else expect(least(readable, grounds)).toBeLessThan(4.7);
      }),
      { numRuns: 300 },
    );
  });
});
