import { type ProbeDefinition } from '../../../probes/probe.js';

/** What reads return in place of a secret. Writing it back leaves the stored secret unchanged. */
export const MASK = '********';

type Fields = Record<string, unknown>;

/** Returns a copy of a definition in which every secret string is replaced. */
export function mapSecrets(
  probe: ProbeDefinition | undefined,
  fields: object,
  replace: (secret: string, path: readonly string[]) => string,
): Fields {
  const copy = structuredClone(fields) as Fields;
  for (const path of probe?.secretPaths(fields) ?? []) {
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
