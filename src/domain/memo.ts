/** Notes a value as the newest of a map that holds `most` of them: where there are more, the oldest is forgotten. */
export function noteNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

/** A pure function of a text that remembers the `most` results it gave last: most are asked for again and again. */
export function remembering<T>(compute: (text: string) => T, most = 10_000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    noteNewest(known, text, value, most);
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
