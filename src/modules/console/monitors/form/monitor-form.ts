import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../http/body/json.js';
import { probeOf } from '../../../../probes/index.js';
import { type FormField, type ProbeForm } from '../../../../probes/probe-form.js';
import { type FormShape } from '../../form-state.js';
import { assertionsOf, assertionTexts, MAX_ROWS } from './assertion-rows.js';
import { AUTH_LABELS, authOf, authTexts } from './auth-fields.js';
import { nameOfField, textOf, valueOf } from './form-field.js';

export const NAME: FormField = { pointer: '/name', label: 'Name', kind: 'text', required: true };
export const INTERVAL: FormField = {
  pointer: '/intervalSeconds',
  label: 'Check every (seconds)',
  kind: 'integer',
  help: 'Default: 60.',
};
export const TAGS: FormField = {
  pointer: '/tags',
  label: 'Tags',
  kind: 'list',
  help: 'Comma-separated, for example production, payments.',
};

export const THRESHOLDS: readonly FormField[] = [
  {
    pointer: '/timeoutMs',
    label: 'Timeout (ms)',
    kind: 'integer',
    help: 'For the whole check. Default: 10,000.',
  },
  { pointer: '/degradedAfterMs', label: 'Degraded above (ms)', kind: 'integer', help: 'Leave empty for no limit.' },
  { pointer: '/failureThreshold', label: 'Failures before down', kind: 'integer', help: '1 to 10.' },
  { pointer: '/recoveryThreshold', label: 'Successes before up', kind: 'integer', help: '1 to 10.' },
  {
    pointer: '/retryIntervalSeconds',
    label: 'Re-check every (seconds)',
    kind: 'integer',
    help: 'While a change is being confirmed. Default: a third of the interval.',
  },
];

export const ABOUT: readonly FormField[] = [
  {
    pointer: '/key',
    label: 'Key',
    kind: 'text',
    help: 'Optional. A name of your own that pipelines can use in place of the ID, such as checkout-api.',
  },
  { pointer: '/description', label: 'Description', kind: 'text', lines: 3 },
];

/**
 * Returns the controls that a monitor type adds to those of all types. A type that this version does not know adds
 * none.
 */
export function formOf(type: string): Required<ProbeForm> {
  return { essential: [], request: [], judged: [], takesAuth: false, sources: [], ...probeOf(type)?.form };
}

function fieldsOf(type: string): FormField[] {
  const { essential, request, judged } = formOf(type);
  return [NAME, ...essential, INTERVAL, TAGS, ...request, ...judged, ...THRESHOLDS, ...ABOUT];
}

/** Returns the form of a type, which assigns faults to fields. */
export function monitorForm(type: string): FormShape {
  const { takesAuth, sources } = formOf(type);
  const rows = Array.from({ length: MAX_ROWS }, (_, row) => [`/assertions/${row}`, `Assertion ${row + 1}`]);
  return {
    id: 'monitor',
    labels: {
      ...Object.fromEntries(fieldsOf(type).map(({ pointer, label }) => [pointer, label])),
      ...(takesAuth && AUTH_LABELS),
      ...(sources.length > 0 && { '/assertions': 'Assertions', ...(Object.fromEntries(rows) as object) }),
    },
  };
}

/** Returns the contents of the controls for a definition in the form in which the API returns it. */
export function monitorTexts(type: string, definition: JsonObject): Record<string, string> {
  const texts = fieldsOf(type).map((field) => [nameOfField(field), textOf(field, valueAt(definition, field.pointer))]);
  return {
    ...(Object.fromEntries(texts) as Record<string, string>),
    ...authTexts(definition.auth),
    ...assertionTexts(definition.assertions),
  };
}

/** Returns the definition of a new monitor from its form. */
export function monitorBody(type: string, form: FormFields): JsonObject {
  const { takesAuth, sources } = formOf(type);
  const body: JsonObject = { type };
  for (const field of fieldsOf(type)) put(body, field.pointer, valueOf(field, form));
  if (takesAuth) body.auth = authOf(form);
  if (sources.length > 0) body.assertions = assertionsOf(form);
  return body;
}

/**
 * Returns the merge patch from the form of a monitor. It contains only what the form shows, so that all other members
 * of the definition remain. `current` is the stored definition; headers that were removed from it are null in the
 * patch.
 */
export function monitorPatch(type: string, form: FormFields, current: JsonObject): JsonObject {
  const { type: _, ...patch } = monitorBody(type, form);
  if (isJsonObject(patch.headers) && isJsonObject(current.headers)) {
    const kept = new Set(Object.keys(patch.headers).map((name) => name.toLowerCase()));
    const removed = Object.keys(current.headers).filter((name) => !kept.has(name.toLowerCase()));
    patch.headers = { ...patch.headers, ...Object.fromEntries(removed.map((name) => [name, null])) };
  }
  return patch;
}

/** Returns the body for display, with its secrets masked. */
export function withoutSecrets({ auth, ...body }: JsonObject): JsonObject {
  if (!isJsonObject(auth)) return auth === undefined ? body : { ...body, auth };
  const { password, token, ...shown } = auth;
  return { ...body, auth: { ...shown, ...(password && { password: '…' }), ...(token && { token: '…' }) } };
}

function valueAt(definition: JsonObject, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((at, step) => (isJsonObject(at) ? at[step] : undefined), definition);
}

function put(body: JsonObject, pointer: string, value: JsonValue): void {
  const steps = pointer.split('/').slice(1);
  const last = steps.pop()!;
  let at = body;
  for (const step of steps) at = (at[step] ??= {}) as JsonObject;
  at[last] = value;
}
