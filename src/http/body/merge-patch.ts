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
