import { MASK } from '../../../domain/mask.js';
import { valueAt } from '../../../domain/secret-members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../http/body/json.js';
import { probeOf } from '../../../probes/index.js';
import { VALUE_MAPS } from './monitor-fields.js';

type Paths = readonly (readonly string[])[];

/**
 * The members that stand beside a secret and without which it has no use. Removing the first one with null removes the
 * secret as well.
 */
const BELONGINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  password: ['username', 'authSource'],
  clientKey: ['clientCertificate'],
  proxyPassword: ['proxyUrl', 'proxyUsername'],
};

/**
 * Returns a whole definition that replaces another one. Absent members are retained only if they hold a stored secret, or
 * if such a secret belongs to them: the account of a password, `auth`, the names in `secretHeaders`. Null removes them.
 * Headers and metadata replace all stored ones if they are sent, and steps of a sequence retain what the stored step of
 * the same name has. `current` contains the writable fields with secrets masked.
 */
export function replaceDefinition(type: string, current: JsonObject, sent: JsonObject): JsonObject {
  const probe = probeOf(type);
  const paths = probe?.secretPaths(current).filter((path) => valueAt(current, path) === MASK) ?? [];
  return withSecrets(sent, current, paths, probe?.defaults as JsonObject | undefined);
}

/**
 * Completes an object with the secrets at the paths in the stored one. `defaults` are those of its members, if it has
 * any: members without one are required, so they must be sent.
 */
function withSecrets(sent: JsonObject, stored: JsonObject, paths: Paths, defaults?: JsonValue): JsonObject {
  const kept: JsonObject = { ...sent };
  for (const [name, below] of byFirstStep(paths)) {
    if (below.some((rest) => rest.length === 0)) {
      Object.assign(kept, keptSecret(name, sent, stored, defaults));
      continue;
    }
    const ofMember = isJsonObject(defaults) ? defaults[name] : undefined;
    const member = keptMember(name, sent[name], stored[name]!, below, ofMember);
    if (member !== undefined) kept[name] = member;
  }
  const { secretHeaders } = stored;
  if (sent.headers === undefined && sent.secretHeaders === undefined && Array.isArray(secretHeaders)) {
    const names = new Set(Object.keys(kept.headers ?? {}).map((name) => name.toLowerCase()));
    kept.secretHeaders = secretHeaders.filter((name) => typeof name === 'string' && names.has(name.toLowerCase()));
  }
  return kept;
}

/** Returns the members that keep a stored secret: none if it was sent, or if what it belongs to was removed. */
function keptSecret(name: string, sent: JsonObject, stored: JsonObject, defaults?: JsonValue): JsonObject {
  if (sent[name] !== undefined) return {};
  const belongings = BELONGINGS[name] ?? [];
  const [owner] = belongings;
  if (owner !== undefined && sent[owner] === null && stored[owner] !== null) return {};
  const isRequired = (one: string): boolean => isJsonObject(defaults) && !(one in defaults);
  const absent = belongings.filter((one) => sent[one] === undefined && stored[one] != null && !isRequired(one));
  return Object.fromEntries([name, ...absent].map((one) => [one, stored[one]!]));
}

/** Returns what a replacement has in place of a stored object or array with secrets; `undefined` if it has nothing. */
function keptMember(
  name: string,
  sent: JsonValue | undefined,
  stored: JsonValue,
  below: Paths,
  defaults?: JsonValue,
): JsonValue | undefined {
  if (Array.isArray(stored)) return Array.isArray(sent) ? sent.map((one) => keptElement(one, stored, below)) : sent;
  if (!isJsonObject(stored)) return sent;
  if (sent === undefined) return name === 'auth' ? stored : withSecrets({}, stored, below, defaults);
  if (!isJsonObject(sent) || VALUE_MAPS.has(name)) return sent;
  return name === 'auth' && sent.type !== stored.type ? sent : withSecrets(sent, stored, below, defaults);
}

/** Returns an element with the secrets of the stored one with the same name, since elements may change their places. */
function keptElement(sent: JsonValue, stored: readonly JsonValue[], below: Paths): JsonValue {
  if (!isJsonObject(sent)) return sent;
  const place = stored.findIndex((one) => isJsonObject(one) && one.name === sent.name);
  const paths = byFirstStep(below).get(String(place)) ?? [];
  // Unlike `auth` of a monitor, that of a step requires all of its members.
  const absent = sent.auth === undefined ? paths : paths.filter(([name]) => name !== 'auth');
  return absent.length > 0 ? withSecrets(sent, stored[place] as JsonObject, absent) : sent;
}

/** Groups paths by their first step. */
function byFirstStep(paths: Paths): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  for (const [first = '', ...rest] of paths) groups.set(first, [...(groups.get(first) ?? []), rest]);
  return groups;
}
