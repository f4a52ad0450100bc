import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide, neededOf, statusByCount, type Confirmed, type ConfirmedStatus, type Quorum } from './quorum.js';

const QUORUMS: Quorum[] = ['any', 'majority', 'all', 1, 2, 3, 10];

describe('neededOf', () => {
  it.each<[Quorum, number, number]>([
    ['any', 0, 0],
    ['any', 1, 1],
    ['any', 5, 1],
    ['majority', 0, 0],
    ['majority', 1, 1],
    ['majority', 2, 2],
    ['majority', 3, 2],
    ['majority', 4, 3],
    ['majority', 5, 3],
    ['all', 0, 0],
    ['all', 3, 3],
    [2, 3, 2],
    [2, 1, 1],
    [0, 3, 1],
    [2, 0, 0],
  ])('of %j with %d locations is %d', (quorum, count, needed) => {
    expect(neededOf(quorum, count)).toBe(needed);
  });
});

/** Parses a list of locations: `u10` is up since 10. */
function states(text: string): Confirmed[] {
  const statuses: Record<string, ConfirmedStatus> = { u: 'up', g: 'degraded', d: 'down', p: 'pending' };
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ status: statuses[word[0]!]!, since: word === 'p' ? null : Number(word.slice(1)) }));
}

describe('decide', () => {
  it.each<[string, Quorum, ConfirmedStatus, number | null]>([
    ['', 'majority', 'pending', null],
    ['p p', 'any', 'pending', null],
    ['u5', 'majority', 'up', 5],
    ['d5', 'majority', 'down', 5],
    ['g5', 'majority', 'degraded', 5],
    ['p d5', 'all', 'down', 5],
    ['d5 u1', 'majority', 'degraded', 5],
    ['d5 u9', 'majority', 'degraded', 9],
    ['d5 u1', 'all', 'degraded', 5],
    ['d5 u1 u2', 2, 'degraded', 5],
    ['g5 u1', 'majority', 'up', 5],
    ['d5 u1', 'any', 'down', 5],
    ['d5 d9 u1', 'majority', 'down', 9],
    ['d9 d5 d7', 'majority', 'down', 7],
    ['d9 d5 d7', 'any', 'down', 5],
    ['d9 d5 d7', 'all', 'down', 9],
    ['d9 d5 d7', 2, 'down', 7],
    ['d9 d5', 3, 'down', 9],
    // The second location may have been down until 9, and so the monitor.
    ['d5 g9 u1', 'majority', 'degraded', 9],
    ['g5 g9 u1', 'majority', 'degraded', 9],
    ['g5 u9 u1', 'majority', 'up', 9],
    // The status before 9 was not degraded, or else the caller retains the 5 that it has.
    ['g5 u9 u1', 'any', 'degraded', 9],
    // The first location was the second one down until the last one recovered at 30.
    ['d10 g5 u30', 'majority', 'degraded', 30],
    // The last of them was down or degraded until 60.
    ['u60 u0 u0', 'majority', 'up', 60],
    ['d10 u50 u0', 'majority', 'degraded', 50],
  ])('merges %j with the quorum %j to %s since %j', (text, quorum, status, since) => {
    expect(decide(states(text), quorum)).toEqual({ status, since });
  });

  it('returns the actual start of the merged status if each location changes once', () => {
    const location = fc.record({
      before: fc.constantFrom<ConfirmedStatus>('up', 'down'),
      after: fc.constantFrom<ConfirmedStatus>('up', 'down'),
      at: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(location, { minLength: 1, maxLength: 6 }), fc.constantFrom(...QUORUMS), (all, quorum) => {
        const statusAt = (t: number) => {
          const now = all.map((one) => (t >= one.at ? one.after : one.before));
          const down = now.filter((status) => status === 'down').length;
          return statusByCount(now.length - down, 0, down, quorum);
        };
        const direction = new Set(all.map((one) => one.before + one.after));
        fc.pre(direction.size === 1 && !direction.has('upup') && !direction.has('downdown'));
        let since = 20;
        while (since > 0 && statusAt(since - 1) === statusAt(20)) since -= 1;
        const merged = decide(
          all.map((one) => ({ status: one.after, since: one.at })),
          quorum,
        );
        expect(merged).toEqual({ status: statusAt(20), since });
      }),
    );
  });

  it('does not depend on the order, and agrees with counting', () => {
    const location = fc.record({
      status: fc.constantFrom<ConfirmedStatus>('up', 'degraded', 'down'),
      since: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(location, { maxLength: 6 }), fc.constantFrom(...QUORUMS), (all, quorum) => {
        const count = (status: string) => all.filter((one) => one.status === status).length;
        const merged = decide(all, quorum);
        expect(merged.status).toBe(statusByCount(count('up'), count('degraded'), count('down'), quorum));
        expect(decide([...all].reverse(), quorum)).toEqual(merged);
        if (all.length > 0) expect(all.map((one) => one.since)).toContain(merged.since);
      }),
    );
  });
});
