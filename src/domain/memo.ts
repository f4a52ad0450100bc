import { LRUCache } from 'lru-cache';

/** Sets a value as the newest of a map that holds at most `most` entries: the oldest are removed if there are more. */
export function noteNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) for (const oldest of oldestKeys(map, most)) map.delete(oldest);
}

/**
 * Returns the keys to remove from a map that exceeds `most` entries. Returns many at once, because deleted entries
 * leave holes in a map, and each iteration to the oldest entry has to skip all of them.
 */
export function oldestKeys<K>(map: ReadonlyMap<K, unknown>, most: number): K[] {
  const keys: K[] = [];
  const wanted = Math.ceil(most / 16);
  for (const key of map.keys()) {
    if (keys.length === wanted) break;
    keys.push(key);
  }
  return keys;
}

/** A memoized function of a text. */
export interface Remembering<T> {
  (text: string): T;
  /** Forgets all results, even if a call was interrupted at an arbitrary point. */
  forget: () => void;
}

/** Memoizes a pure function of a text, with the `most` most recently used results. */
export function remembering<T extends NonNullable<unknown>>(
  compute: (text: string) => T,
  most = 10_000,
): Remembering<T> {
  let known = new LRUCache<string, T>({ max: most });
  const remembered = (text: string): T => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    known.set(text, value);
    return value;
  };
  return Object.assign(remembered, { forget: () => void (known = new LRUCache({ max: most })) });
}

/** Memoizes a function of an object, such as a definition or a class, for as long as the object exists. */
export function onceFor<D extends object, T>(compute: (object: D) => T): (object: D) => T {
  const known = new WeakMap<D, T>();
  return (object) => {
    let found = known.get(object);
    if (found === undefined) {
      found = compute(object);
      known.set(object, found);
    }
    return found;
  };
}
