import { channelOf } from '../../../channels/index.js';
import { type FormField, yesNoField } from '../../../domain/form-field.js';
import { MASK } from '../../../domain/mask.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { asJson, isJsonObject, type JsonObject } from '../../../http/body/json.js';
import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { type FormShape } from '../form-state.js';
import { nameOfField, secretsIn, textOf, valueOf } from '../monitors/form/form-field.js';

export const NOTIFICATIONS_PATH = '/settings/notifications';
/** The checkbox that also creates a policy for all monitors. */
export const EVERYTHING = '/everything';

export const CHANNEL_NAME: FormField = {
  pointer: '/name',
  label: 'Name',
  kind: 'text',
  required: true,
  help: 'As it appears in policies and logs, such as the name of the room or the person.',
};
export const CHANNEL_KEY: FormField = {
  pointer: '/key',
  label: 'Key',
  kind: 'text',
  help: 'Optional. A stable identifier that pipelines can use instead of the ID, such as ops.',
};
export const CHANNEL_ENABLED = yesNoField('/enabled', 'Enabled', 'A disabled channel is not notified.');

/** Returns the controls of a type, with the pointers of the API's body. */
export function settingsFields(type: string): { essential: FormField[]; advanced: FormField[] } {
  const form = channelOf(type)?.form;
  const inBody = (fields: readonly FormField[] = []): FormField[] =>
    fields.map((field) => ({ ...field, pointer: `/settings${field.pointer}` }));
  return { essential: inBody(form?.essential), advanced: inBody(form?.advanced) };
}

/** Returns a control as it is for a stored channel: an empty secret keeps what is stored. */
export function asStored(field: FormField): FormField {
  return field.secret ? { ...field, required: false, ifEmpty: 'Leave empty to keep what is stored.' } : field;
}

/** A secret that the service has generated, with the label of its control. */
export interface GeneratedSecret {
  label: string;
  text: string;
}

/** Returns the secret that an answer shows because it was generated: all other secrets are masked. */
export function generatedSecret({ type, settings }: NotificationChannelDto): GeneratedSecret | null {
  const { essential, advanced } = settingsFields(type);
  const shown = [...essential, ...advanced].flatMap((field) => {
    const text = field.secret ? settings[nameOfField(field)] : null;
    return typeof text === 'string' && text !== MASK ? [{ label: field.label, text }] : [];
  });
  return shown[0] ?? null;
}

/** Returns the form of a type, which assigns faults to fields. */
export function channelForm(type: string): FormShape {
  const fields = [...fieldsOf(type), CHANNEL_ENABLED];
  const labels = Object.fromEntries(fields.map(({ pointer, label }) => [pointer, label]));
  return {
    id: 'channel',
    labels: { ...labels, [EVERYTHING]: 'Notify this channel about all monitors' },
    secrets: secretsIn(fields),
  };
}

/** Returns the contents of the controls for a channel in the form in which the API returns it, without secrets. */
export function channelTexts(channel: NotificationChannelDto): Record<string, string> {
  const settings = channel.settings as JsonObject;
  const { essential, advanced } = settingsFields(channel.type);
  const texts = [...essential, ...advanced].map((field) => {
    const name = nameOfField(field);
    return [name, field.secret ? '' : textOf(field, settings[name])];
  });
  return {
    ...(Object.fromEntries(texts) as Record<string, string>),
    name: channel.name,
    key: channel.key ?? '',
    enabled: String(channel.enabled),
  };
}

/** Returns the contents of the controls of a new channel of a type. */
export function blankTexts(type: string): Record<string, string> {
  const defaults = asJson(channelOf(type)?.defaults ?? {});
  const { essential, advanced } = settingsFields(type);
  return Object.fromEntries(
    [...essential, ...advanced].map((field) => [nameOfField(field), textOf(field, defaults[nameOfField(field)])]),
  );
}

/** Returns the definition of a new channel from its form. */
export function channelBody(type: string, form: FormFields): JsonObject {
  return {
    name: valueOf(CHANNEL_NAME, form),
    key: valueOf(CHANNEL_KEY, form),
    type,
    settings: sentSettings(type, form),
  };
}

/**
 * Returns the merge patch from the form of a channel. Secrets that were left empty stay out of it; headers that were
 * removed are null.
 */
export function channelPatch(channel: NotificationChannelDto, form: FormFields): JsonObject {
  const { type: _, settings: __, ...patch } = channelBody(channel.type, form);
  const { essential, advanced } = settingsFields(channel.type);
  const settings = sentSettings(channel.type, form);
  for (const field of [...essential, ...advanced]) {
    const name = nameOfField(field);
    if (field.secret && settings[name] === null) delete settings[name];
    const stored = (channel.settings as JsonObject)[name];
    const sent = settings[name];
    if (field.kind !== 'headers' || !isJsonObject(stored) || !isJsonObject(sent)) continue;
    const kept = new Set(Object.keys(sent).map((header) => header.toLowerCase()));
    const removed = Object.keys(stored).filter((header) => !kept.has(header.toLowerCase()));
    settings[name] = { ...sent, ...Object.fromEntries(removed.map((header) => [header, null])) };
  }
  return { ...patch, enabled: valueOf(CHANNEL_ENABLED, form), settings };
}

function sentSettings(type: string, form: FormFields): JsonObject {
  const { essential, advanced } = settingsFields(type);
  return Object.fromEntries([...essential, ...advanced].map((field) => [nameOfField(field), valueOf(field, form)]));
}

function fieldsOf(type: string): FormField[] {
  const { essential, advanced } = settingsFields(type);
  return [CHANNEL_NAME, ...essential, ...advanced, CHANNEL_KEY];
}
