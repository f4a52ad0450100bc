import { LRUCache } from 'lru-cache';

/** Notes a value as the newest of a map that holds `most` of them: where there are more, the oldest are forgotten. */
export function noteNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) for (const oldest of oldestKeys(map, most)) map.delete(oldest);
}

/**
 * What a map that holds `most` forgets where there are more. Many at once: what is deleted leaves holes in a map, and
 * the way to the oldest leads through all of them.
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

/** A pure function of a text that remembers the `most` results it gave last: most are asked for again and again. */
export function remembering<T extends NonNullable<unknown>>(
  compute: (text: string) => T,
  most = 10_000,
): (text: string) => T {
  const known = new LRUCache<string, T>({ max: most });
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}

/** What follows from an object alone, such as a definition or a class, worked out when it is first asked for. */
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
