import { isDeepStrictEqual } from 'node:util';

/**
 * Whether writing these columns would leave a row as it is. A write that changes nothing raises no revision: whoever
 * holds the former one must not be told that somebody else was faster.
 */
export function leavesAsIs<T extends object>(row: T, changes: Partial<T>): boolean {
  return Object.entries(changes).every(([column, value]) =>
    isDeepStrictEqual(stored(value), stored(row[column as keyof T])),
  );
}

/** As the database gives it back: times to the millisecond, no value as null, plain objects. */
function stored(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
