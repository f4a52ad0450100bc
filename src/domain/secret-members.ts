type Fields = Record<string, unknown>;

/** A type of monitor or notification channel, which knows the members of its fields that contain secrets. */
export interface HoldsSecrets {
  secretPaths(fields: object): string[][];
}

/** Returns a copy of fields in which every secret string is replaced. */
export function mapSecrets(
  kind: HoldsSecrets | undefined,
  fields: object,
  replace: (secret: string, path: readonly string[]) => string,
): Fields {
  const copy = structuredClone(fields) as Fields;
  for (const path of kind?.secretPaths(fields) ?? []) {
    const secret = valueAt(copy, path);
    if (typeof secret === 'string') parentOf(copy, path)![path.at(-1)!] = replace(secret, path);
  }
  return copy;
}

/** Returns the value at a path. The last step is case-insensitive if there is no exact match, like a header name. */
export function valueAt(fields: object, path: readonly string[]): unknown {
  const parent = parentOf(fields as Fields, path);
  if (!parent) return undefined;
  const last = path.at(-1)!;
  if (Object.hasOwn(parent, last)) return parent[last];
  const name = Object.keys(parent).find((one) => one.toLowerCase() === last.toLowerCase());
  return name === undefined ? undefined : parent[name];
}

function parentOf(fields: Fields, path: readonly string[]): Fields | undefined {
  let at: unknown = fields;
  for (const step of path.slice(0, -1)) {
    at = typeof at === 'object' && at !== null ? (at as Fields)[step] : undefined;
  }
  return typeof at === 'object' && at !== null ? (at as Fields) : undefined;
}
