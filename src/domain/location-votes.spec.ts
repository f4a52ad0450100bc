import { describe, expect, it } from '@jest/globals';
import { type Comparison, voteless } from './location-votes.js';

/** Parses `a 5/10`: at `a`, 5 of 10 monitors fail that pass elsewhere. */
function comparisons(text: string): Comparison[] {
  return text.split(', ').map((one) => {
    const [location, failing, compared] = one.split(/[ /]/);
    return { location: location!, failing: Number(failing), compared: Number(compared) };
  });
}

describe('the vote of a location', () => {
  it.each([
    ['a 0/10, b 0/10', '', ''],
    ['a 5/10, b 0/5', '', 'a'],
    ['a 4/10, b 0/6', '', ''],
    // Too few monitors to tell which of the two locations is wrong.
    ['a 3/3, b 0/3', '', ''],
    ['a 4/4, b 0/4', '', 'a'],
    // Each fails where the other passes: only the worse one loses its vote.
    ['a 9/10, b 8/10', '', 'a'],
    ['a 3/10, b 0/10', 'a', 'a'],
    ['a 2/10, b 0/10', 'a', ''],
    ['a 0/2, b 0/2', 'a', ''],
    ['a 1/2, b 0/2', 'a', 'a'],
    ['b 0/10', 'a', 'a'],
    ['a 0/10, b 6/10', 'a', 'b'],
  ])('with %s, and without a vote before %j, is lost by %j', (seen, before, after) => {
    expect([...voteless(comparisons(seen), new Set(before ? [before] : []), [])].join()).toBe(after);
  });

  it('is returned when nothing is left to compare the location with', () => {
    const before = new Set(['a', 'b']);
    expect([...voteless([], before, ['a'])]).toEqual(['b']);
  });
});
