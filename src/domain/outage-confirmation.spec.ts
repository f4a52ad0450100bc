import { expect, it } from '@jest/globals';
import { confirmationOf, type ConfirmedTransitions } from './outage-confirmation.js';
import { type ConfirmedStatus } from './quorum.js';

const seenFrom = (location: string, ...list: [number, number, ConfirmedStatus][]): ConfirmedTransitions => ({
  location,
  transitions: list.map(([at, confirmedAt, to]) => ({ at, confirmedAt, to })),
});

it.each<[string, ConfirmedTransitions[], unknown]>([
  ['no location', [], null],
  ['one location', [seenFrom('a', [1, 1, 'up'], [10, 12, 'down'])], { location: 'a', at: 10, confirmedAt: 12 }],
  [
    'one location that recovered later',
    [seenFrom('a', [10, 12, 'down'], [20, 20, 'up'])],
    { location: 'a', at: 10, confirmedAt: 12 },
  ],
  [
    'the location that went down last',
    [seenFrom('a', [8, 9, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'a location that went down first and confirmed last',
    [seenFrom('a', [8, 15, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 15 },
  ],
  [
    'not a location that goes down later',
    [seenFrom('a', [11, 12, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'not a location that is up',
    [seenFrom('a', [5, 5, 'up']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'two locations at the same time, by name',
    [seenFrom('b', [10, 11, 'down']), seenFrom('a', [10, 12, 'down'])],
    { location: 'a', at: 10, confirmedAt: 12 },
  ],
])('the outage is confirmed by %s', (_, locations, expected) => {
  // prettier-ignore
  expect(confirmationOf(10, locations)).toEqual(expected);
});
