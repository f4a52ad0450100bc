/** A changed value of a resource. */
export interface JsonChange {
  /** JSON pointer (RFC 6901). */
  pointer: string;
  /** Null if the member did not exist. */
  before: unknown;
  /** Null if the member no longer exists. */
  after: unknown;
}

/**
 * Returns what differs between two versions of a resource, in the order of their members. Descends into objects; an
 * array counts as one value, because the position of an element says nothing about what became of it.
 */
export function jsonChanges(before: unknown, after: unknown, pointer = ''): JsonChange[] {
  if (!isObject(before) || !isObject(after)) {
    return isSame(before, after) ? [] : [{ pointer, before: before ?? null, after: after ?? null }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    jsonChanges(memberOf(before, name), memberOf(after, name), `${pointer}/${escape(name)}`),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member that the value itself has, because a caller may name one like those of every object. */
function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Compares JSON values, whatever the order of members. An absent value equals null. */
function isSame(a: unknown, b: unknown): boolean {
  if ((a ?? null) === null || (b ?? null) === null) return (a ?? null) === (b ?? null);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  return jsonChanges(a, b).length === 0;
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Returns the changes with the values of other versions, in which secrets are masked: what changed is decided by the
 * plain values, and what is shown never contains them.
 */
export function maskedChanges(changes: readonly JsonChange[], before: unknown, after: unknown): JsonChange[] {
  return changes.map(({ pointer }) => ({ pointer, before: valueAt(before, pointer), after: valueAt(after, pointer) }));
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => memberOf(at, unescape(name)), value);
  return found ?? null;
}

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
