/** Serialises a value to JSON that also represents `Date` and `Map`. */
export function toWire(value: unknown): string {
  return JSON.stringify(value ?? null, function (this: Record<string, unknown>, name, text: unknown) {
    // A Date has already been converted to text here.
    const original = this[name];
    if (original instanceof Date) return { $time: original.getTime() };
    if (original instanceof Map) return { $map: [...original] };
    return text;
  });
}

/** Parses the output of `toWire`. */
export function fromWire(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$time' in value) return new Date(value.$time as number);
    if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
    return value;
  });
}
