import { describe, expect, it } from '@jest/globals';
import { type Comparison, voteless, withoutVote } from './location-votes.js';

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

describe('the results of a monitor', () => {
  const lost = { from: 1_000_000, to: 2_000_000 };
  const first = { at: 1_500_000 };
  it.each([
    { when: 'while there is no vote', span: { ...lost, to: null }, lastCheckAt: 3_000_000, to: null },
    { when: 'without any check', lastCheckAt: null, to: null },
    { when: 'before the first check after the loss', lastCheckAt: 1_999_999, to: null },
    { when: 'after a check that changed nothing', lastCheckAt: 2_000_000, to: 2_000_000 },
    { when: 'after a first check that changed the state', changes: [first, { at: 2_060_000 }], to: 2_060_000 },
    { when: 'after a later check that changed the state', changes: [first, { at: 2_065_001 }], to: 2_000_000 },
  ])('count again $when from $to', ({ span = lost, lastCheckAt = 3_000_000, changes = [first], to }) => {
    expect(withoutVote(span, { intervalMs: 60_000, lastCheckAt, changes })).toEqual({ from: lost.from, to });
  });
});
