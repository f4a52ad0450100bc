/** JSON that carries times and maps, too. */
export function toWire(value: unknown): string {
  return JSON.stringify(value ?? null, function (this: Record<string, unknown>, name, text: unknown) {
    // Times arrive here as text already.
    const original = this[name];
    if (original instanceof Date) return { $time: original.getTime() };
    if (original instanceof Map) return { $map: [...original] };
    return text;
  });
}

/** What `toWire` was given. */
export function fromWire(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$time' in value) return new Date(value.$time as number);
    if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
    return value;
  });
}
