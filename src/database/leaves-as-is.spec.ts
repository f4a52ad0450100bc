import { expect, it } from '@jest/globals';
import { leavesAsIs } from './leaves-as-is.js';

interface Row {
  name: string | null;
  at: Date | null;
  tags: string[];
  definition: object;
}

const row: Row = { name: 'A', at: new Date(5), tags: ['x', 'y'], definition: { a: 1, b: [{ c: null }] } };

it.each<[Partial<Row>, boolean]>([
  [{}, true],
  [{ name: 'A' }, true],
  [{ name: 'B' }, false],
  [{ name: null }, false],
  [{ at: new Date(5) }, true],
  [{ at: new Date(6) }, false],
  [{ at: null }, false],
  [{ tags: ['x', 'y'] }, true],
  [{ tags: ['y', 'x'] }, false],
  [{ definition: { b: [{ c: null }], a: 1 } }, true],
  [{ definition: { b: [{ c: 0 }], a: 1 } }, false],
  [{ name: 'A', tags: [] }, false],
])('leavesAsIs reports whether %j changes nothing: %s', (changes, expected) => {
  expect(leavesAsIs(row, changes)).toBe(expected);
});
