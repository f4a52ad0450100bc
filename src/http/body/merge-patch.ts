import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

/**
 * Applies a JSON merge patch (RFC 7396). Pure: neither argument is changed, and unpatched parts are shared. Any member
 * name is valid, including `__proto__`. Recursion is as deep as the patch.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject;
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue;
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  // Unlike an assignment, this defines `__proto__` as an own member.
  return Object.fromEntries(members);
}

/**
 * Returns the nulls of a patch for members that its target does not have. Merging drops them, but validation must still
 * reject an unknown name.
 */
export function nullStrays(target: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => value === null && !(name in target)));
}

/**
 * Returns the members of a patch under the names of current members that differ only in case, as for header names. If
 * two names of the patch do, the second one stays in the result, so that validation rejects it.
 */
export function underKnownNames(patch: JsonObject, current: JsonObject): JsonObject {
  const known = new Map(Object.keys(current).map((name) => [name.toLowerCase(), name]));
  const take = (name: string): string => {
    const stored = known.get(name.toLowerCase()) ?? name;
    known.delete(name.toLowerCase());
    return stored;
  };
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [take(name), value]));
}
