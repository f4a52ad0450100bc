import { expect, it } from '@jest/globals';
import { parentIncidentOf, type ParentIncident } from './incident-parent.js';

const parent = (id: string, startedAt: number, resolvedAt: number | null, seenWithinMs = 10): ParentIncident => ({
  id,
  startedAt,
  resolvedAt,
  seenWithinMs,
});

it.each<[string, ParentIncident[], string | null]>([
  ['no parent is down', [], null],
  ['a parent is down', [parent('a', 50, null)], 'a'],
  ['it began in the same moment', [parent('a', 100, null)], 'a'],
  ['the parent was checked a little later', [parent('a', 110, null)], 'a'],
  ['the parent failed later', [parent('a', 111, null)], null],
  ['the parent had recovered', [parent('a', 50, 100)], null],
  ['the parent recovered just afterwards', [parent('a', 50, 101)], 'a'],
  ['several parents are down', [parent('a', 60, null), parent('b', 50, 200)], 'b'],
  ['two began together', [parent('b', 50, null), parent('a', 50, null)], 'a'],
])('where %s', (_, candidates, expected) => {
  expect(parentIncidentOf(100, candidates)?.id ?? null).toBe(expected);
});
