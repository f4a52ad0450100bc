import { expect, it } from '@jest/globals';
import { confirmationOf, type ConfirmedTransitions } from './outage-confirmation.js';
import { type ConfirmedStatus } from './quorum.js';

const seenFrom = (location: string, ...list: [number, number, ConfirmedStatus][]): ConfirmedTransitions => ({
  location,
  transitions: list.map(([at, confirmedAt, to]) => ({ at, confirmedAt, to })),
});

it.each<[string, ConfirmedTransitions[], unknown]>([
  ['no location', [], null],
  ['one', [seenFrom('a', [1, 1, 'up'], [10, 12, 'down'])], { location: 'a', at: 10, confirmedAt: 12 }],
  ['one, later over', [seenFrom('a', [10, 12, 'down'], [20, 20, 'up'])], { location: 'a', at: 10, confirmedAt: 12 }],
  [
    'the one that joined last',
    [seenFrom('a', [8, 9, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'one that joined first and confirmed last',
    [seenFrom('a', [8, 15, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 15 },
  ],
  [
    'not one that joins later',
    [seenFrom('a', [11, 12, 'down']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'not one that is up',
    [seenFrom('a', [5, 5, 'up']), seenFrom('b', [10, 13, 'down'])],
    { location: 'b', at: 10, confirmedAt: 13 },
  ],
  [
    'two at once, by name',
    [seenFrom('b', [10, 11, 'down']), seenFrom('a', [10, 12, 'down'])],
    { location: 'a', at: 10, confirmedAt: 12 },
  ],
])('the outage is confirmed by %s', (_, locations, expected) => {
  // prettier-ignore
  expect(confirmationOf(10, locations)).toEqual(expected);
});
