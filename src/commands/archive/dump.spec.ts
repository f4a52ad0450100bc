import { describe, expect, it } from '@jest/globals';
import { nextFetch } from './dump.js';
import { parentsFirst } from './schema.js';

describe('nextFetch', () => {
  it.each<[string, number, number, number]>([
    ['that are small: at most four times as many', 100, 1_000, 400],
    ['that are small: up to the limit', 4_000, 4_000, 5_000],
    ['of 1 KiB: as many as fit into 1 MiB', 1_000, 1_000 * 1_024, 1_024],
    ['of 1 MiB: one', 100, 100 * 1_024 * 1_024, 1],
    ['larger than the memory limit: still one', 1, 50 * 1_024 * 1_024, 1],
  ])('returns the next number of rows %s', (_case, rows, bytes, next) => {
    expect(nextFetch(rows, bytes)).toBe(next);
  });
});

describe('parentsFirst', () => {
  const table = (name: string, ...parents: string[]) => ({ name, parents });

  it.each<[string, ReturnType<typeof table>[], string]>([
    ['no tables', [], ''],
    ['independent tables', [table('b'), table('a')], 'b a'],
    ['a chain', [table('c', 'b'), table('b', 'a'), table('a')], 'a b c'],
    ['two parents', [table('c', 'a', 'b'), table('a', 'b'), table('b')], 'b a c'],
    ['a parent outside the list', [table('a', 'elsewhere')], 'a'],
  ])('orders %s', (_case, tables, order) => {
    expect(
      parentsFirst(tables)
        .map(({ name }) => name)
        .join(' '),
    ).toBe(order);
  });

  it('rejects a cycle', () => {
    expect(() => parentsFirst([table('a', 'b'), table('b', 'a')])).toThrow(/a, b/);
  });
});
