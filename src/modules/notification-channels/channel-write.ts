import { type ChannelDefinition } from '../../channels/channel.js';
import { channelOf } from '../../channels/index.js';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { MASK } from '../../domain/mask.js';
import { mapSecrets, valueAt } from '../../domain/secret-members.js';
import { declaredNames } from '../../http/body/dto-faults.js';
import { isJsonObject, type JsonObject, jsonPointer } from '../../http/body/json.js';
import { mergePatch, nullStrays, underKnownNames } from '../../http/body/merge-patch.js';
import { inspectBody } from '../../http/body/validation.js';
import { type FieldError } from '../../http/problems/problem.js';
import { CreateNotificationChannelDto } from './dto/create-notification-channel.dto.js';
import { READ_ONLY_FIELDS } from './dto/notification-channel.dto.js';

type Settings = Record<string, unknown>;

/** Restrictions that the operator has configured. */
export interface ChannelRules {
  /** Whether mail can be sent. */
  canMail: boolean;
  /** Returns whether channels may not reach a host, judging by its spelling alone, without resolving it. */
  refusesHost(host: string): boolean;
}

/** A valid channel, with defaults applied and secrets in plain text. */
export interface WrittenChannel {
  key: string | null;
  name: string;
  type: string;
  enabled: boolean;
  settings: Settings;
}

/** A valid channel, and the settings that were generated for it, which the caller does not know. */
export type ChannelOutcome =
  { channel: WrittenChannel; generated: Settings; errors: [] } | { channel: null; errors: FieldError[] };

/**
 * Validates a whole channel, either as sent by the caller or after a merge. `null` has the same effect as omitting a
 * field. `stored` contains the stored settings in plain text, which replace secrets that are sent masked.
 */
export function readChannel(
  body: JsonObject,
  rules: ChannelRules,
  stored: { type: string; settings: Settings } | null,
): ChannelOutcome {
  const common = inspectBody(CreateNotificationChannelDto, body, { readOnly: READ_ONLY_FIELDS });
  const errors = [...common.errors];
  if (stored && typeof body.type === 'string' && body.type !== stored.type) {
    return fails([fault('/type', 'immutable', 'The type cannot be changed after creation.')]);
  }
  const definition = typeof body.type === 'string' ? channelOf(body.type) : undefined;
  if (!definition || !isJsonObject(body.settings)) return fails(errors);
  if (definition.needsMail && !rules.canMail && !stored) {
    const detail = 'The operator has not configured a mail server with SMTP_URL and MAIL_FROM.';
    errors.push(fault('/type', 'mail_not_configured', detail));
  }
  const settings = readSettings(definition, body.settings, rules, stored?.settings ?? null);
  errors.push(...settings.errors);
  if (errors.length > 0) return fails(errors);
  const { key, name, type, enabled } = common.instance;
  const generated = generatedFor(definition, settings.values);
  const channel = { key: key ?? null, name, type, enabled: enabled ?? true };
  return { channel: { ...channel, settings: { ...settings.values, ...generated } }, generated, errors: [] };
}

/**
 * Returns a whole channel that replaces another one. Absent settings are retained only if they hold a stored secret, or
 * if a rotation set them. Null removes them. `current` contains the writable fields with secrets masked.
 */
export function replaceChannel(type: string, current: JsonObject, sent: JsonObject): JsonObject {
  const definition = channelOf(type);
  const { settings } = current;
  if (!definition || !isJsonObject(sent.settings) || !isJsonObject(settings)) return sent;
  const retained: JsonObject = {};
  for (const [name = '', ...below] of definition.secretPaths(settings)) {
    const value = settings[name];
    if (name in sent.settings || value == null) continue;
    const [member] = below;
    if (member === undefined) retained[name] = value;
    else retained[name] = { ...(isJsonObject(retained[name]) ? retained[name] : {}), [member]: MASK };
  }
  for (const name of definition.setByRotation ?? []) {
    const value = settings[name];
    if (!(name in sent.settings) && value != null) retained[name] = value;
  }
  return { ...sent, settings: { ...retained, ...sent.settings } };
}

/** Applies a merge patch to the writable fields of a channel. Header names are matched case-insensitively. */
export function patchChannel(current: JsonObject, patch: JsonObject): JsonObject {
  const adapted = { ...patch };
  const strays: JsonObject = nullStrays(current, patch);
  if (!isJsonObject(patch.settings) || !isJsonObject(current.settings))
    return { ...mergePatch(current, adapted), ...strays };
  const { headers } = patch.settings;
  if (isJsonObject(headers) && isJsonObject(current.settings.headers)) {
    adapted.settings = { ...patch.settings, headers: underKnownNames(headers, current.settings.headers) };
  }
  const merged = mergePatch(current, adapted);
  const settings = { ...(merged.settings as JsonObject), ...nullStrays(current.settings, patch.settings) };
  return { ...merged, ...strays, settings };
}

function readSettings(
  definition: ChannelDefinition,
  sent: JsonObject,
  rules: ChannelRules,
  stored: Settings | null,
): { values: Settings; errors: FieldError[] } {
  const given = withoutNulls(definition, sent);
  const kept: string[][] = [];
  const missing: string[][] = [];
  const unmasked = mapSecrets(definition, given, (secret, path) => {
    if (secret !== MASK) return secret;
    const known = stored && valueAt(stored, path);
    if (typeof known === 'string') kept.push([...path]);
    else missing.push([...path]);
    return typeof known === 'string' ? known : secret;
  });
  const typed = inspectBody(definition.fields, unmasked as JsonObject);
  const absent = new Set(missing.map((path) => jsonPointer(path)));
  const errors = [
    ...missing.map((path) =>
      fault(at(path), 'secret_required', 'There is no stored secret to keep. Send the secret itself.'),
    ),
    ...typed.errors
      .filter(({ pointer = '' }) => !absent.has(pointer))
      .map((one) => ({ ...one, pointer: `/settings${one.pointer ?? ''}` })),
  ];
  const values: Settings = { ...definition.defaults, ...plain(typed.instance) };
  if (errors.length > 0) return { values, errors };
  errors.push(...hostFaults(definition, values, rules));
  if (stored === null || definition.secretScope(stored) === definition.secretScope(values)) return { values, errors };
  const dropped = new Set(definition.setByRotation ?? []);
  for (const path of kept.filter(([name = '']) => !dropped.has(name))) {
    const detail = 'The receiver has changed, and stored secrets are not sent to another one. Send the secret again.';
    errors.push(fault(at(path), 'secret_required', detail));
  }
  if (kept.some(([name = '']) => dropped.has(name))) for (const name of dropped) delete values[name];
  return { values, errors };
}

function hostFaults(definition: ChannelDefinition, values: Settings, rules: ChannelRules): FieldError[] {
  const detail = 'This address is blocked. Operators can allow private addresses with ALLOW_PRIVATE_CHANNELS.';
  return definition
    .hosts(values)
    .filter(({ host }) => rules.refusesHost(host))
    .map(({ pointer }) => fault(`/settings${pointer}`, 'address_blocked', detail));
}

function generatedFor(definition: ChannelDefinition, values: Settings): Settings {
  const generated: Settings = { ...definition.generate?.() };
  return Object.fromEntries(Object.entries(generated).filter(([name]) => values[name] === undefined));
}

/** Removes null settings. Unknown names are rejected even when null, so they stay. */
function withoutNulls(definition: ChannelDefinition, settings: JsonObject): JsonObject {
  const known = declaredNames(definition.fields);
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== null || !known.has(name)));
}

/** Returns a class instance as plain data, in the form in which it is stored. */
function plain(instance: object): Settings {
  return JSON.parse(JSON.stringify(instance)) as Settings;
}

const at = (path: readonly string[]): string => jsonPointer(['settings', ...path]);

function fault(pointer: string, code: FieldErrorCode, detail: string): FieldError {
  return { pointer, code, detail };
}

function fails(errors: FieldError[]): ChannelOutcome {
  return { channel: null, errors };
}
