import { isJsonObject, type JsonObject } from '../../../http/body/json.js';
import { mergePatch } from '../../../http/body/merge-patch.js';
import { MASK } from './definition-secrets.js';

/**
 * Applies a merge patch to the writable fields of a definition. Header names are matched case-insensitively. A patch
 * that changes `auth.type` discards the members of the previous `auth`.
 */
export function patchDefinition(current: JsonObject, patch: JsonObject): JsonObject {
  const adapted: JsonObject = { ...patch };
  if (isJsonObject(patch.headers) && isJsonObject(current.headers)) {
    const known = new Map(Object.keys(current.headers).map((name) => [name.toLowerCase(), name]));
    // If two names differ only in case, the second one stays in the result, so that validation rejects it.
    const take = (name: string): string => {
      const stored = known.get(name.toLowerCase()) ?? name;
      known.delete(name.toLowerCase());
      return stored;
    };
    adapted.headers = Object.fromEntries(Object.entries(patch.headers).map(([name, value]) => [take(name), value]));
  }
  const base: JsonObject = { ...current };
  if (
    isJsonObject(patch.auth) &&
    isJsonObject(base.auth) &&
    'type' in patch.auth &&
    patch.auth.type !== base.auth.type
  ) {
    delete base.auth;
  }
  if (patch.expiresInSeconds !== undefined) delete base.expiresAt;
  // Merging would drop a null for an absent field, but validation must still reject an unknown name.
  const strays = Object.entries(patch).filter(([name, value]) => value === null && !(name in current));
  return { ...mergePatch(base, adapted), ...Object.fromEntries(strays) };
}

/**
 * Returns a whole definition that replaces another one. Absent members are retained only if they hold a stored secret:
 * `auth`, the secret member of `auth`, and the secret headers if no headers are sent at all. The names that mark these
 * headers as secret are retained with them, unless such a list is sent. Null removes them.
 */
export function replaceDefinition(current: JsonObject, sent: JsonObject): JsonObject {
  const replaced: JsonObject = { ...sent };
  const { auth, headers, secretHeaders } = current;
  if (isJsonObject(auth)) {
    if (sent.auth === undefined) replaced.auth = auth;
    else if (isJsonObject(sent.auth) && sent.auth.type === auth.type) replaced.auth = { ...masked(auth), ...sent.auth };
  }
  if (isJsonObject(headers) && sent.headers === undefined) {
    const kept = masked(headers);
    replaced.headers = kept;
    if (Array.isArray(secretHeaders) && sent.secretHeaders === undefined) {
      const names = new Set(Object.keys(kept).map((name) => name.toLowerCase()));
      replaced.secretHeaders = secretHeaders.filter(
        (name) => typeof name === 'string' && names.has(name.toLowerCase()),
      );
    }
  }
  return replaced;
}

function masked(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value === MASK));
}
