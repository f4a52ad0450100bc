import { isJsonObject, type JsonObject } from '../../../http/body/json.js';
import { mergePatch } from '../../../http/body/merge-patch.js';
import { MASK } from './definition-secrets.js';

/**
 * Lays a merge patch over the writable view of a definition. Header names match without case, and another `auth.type`
 * drops the members of the former one.
 */
export function patchDefinition(current: JsonObject, patch: JsonObject): JsonObject {
  const adapted: JsonObject = { ...patch };
  if (isJsonObject(patch.headers) && isJsonObject(current.headers)) {
    const known = new Map(Object.keys(current.headers).map((name) => [name.toLowerCase(), name]));
    // A name that is sent twice stays as it was sent, to be refused.
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
  // A null takes nothing away here, but its name is still judged.
  const strays = Object.entries(patch).filter(([name, value]) => value === null && !(name in current));
  return { ...mergePatch(base, adapted), ...Object.fromEntries(strays) };
}

/**
 * A whole definition in place of the writable view of another one. Only what holds a stored secret outlives being left
 * out: `auth`, its secret member, and, where no headers are sent at all, the secret ones among them. Null drops them.
 */
export function replaceDefinition(current: JsonObject, sent: JsonObject): JsonObject {
  const replaced: JsonObject = { ...sent };
  const { auth, headers } = current;
  if (isJsonObject(auth)) {
    if (sent.auth === undefined) replaced.auth = auth;
    else if (isJsonObject(sent.auth) && sent.auth.type === auth.type) replaced.auth = { ...masked(auth), ...sent.auth };
  }
  if (isJsonObject(headers) && sent.headers === undefined) replaced.headers = masked(headers);
  return replaced;
}

function masked(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value === MASK));
}
