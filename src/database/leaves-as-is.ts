import { isDeepStrictEqual } from 'node:util';

/**
 * Returns whether writing these columns would leave a row unchanged. Such a write does not increment the revision, so
 * that a client that holds the current one does not get a false conflict.
 */
export function leavesAsIs<T extends object>(row: T, changes: Partial<T>): boolean {
  return Object.entries(changes).every(([column, value]) =>
    isDeepStrictEqual(stored(value), stored(row[column as keyof T])),
  );
}

/** Returns the value as the database returns it: times in milliseconds, no value as null, plain objects. */
function stored(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
