import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../http/body/json.js';
import { awaitsReports, probeOf } from '../../../../probes/index.js';
import { type ControlTexts, type FieldKind, type FormField } from '../../../../domain/form-field.js';
import { type ProbeForm } from '../../../../probes/probe-form.js';
import { type FormShape } from '../../form-state.js';
import { MONITORS_FIELD, pickedIds } from '../../picker/picked-ids.js';
import { assertionsOf, assertionTexts, rowPointers } from './assertion-rows.js';
import { AUTH_LABELS, authOf, authSecret, authTexts } from './auth-fields.js';
import { ABOUT, intervalField, NAME, placeFields, TAGS, thresholdsOf } from './common-fields.js';
import { customField, type DurationUnit, UNIT_MS } from '../../html/duration-choice.js';
import { nameOfField, secretsIn, textOf, valueOf } from './form-field.js';
import { fieldsOfSteps, type StepFields, stepsOf, stepTexts } from './step-rows.js';

const COPY_SUFFIX = ' (copy)';
const MAX_NAME = 200;

/**
 * Returns the controls that a monitor type adds to those of all types. A type that this version does not know adds
 * none.
 */
export function formOf(type: string): Required<ProbeForm> {
  const none = {
    gist: '',
    essential: [],
    request: [],
    judged: [],
    takesAuth: false,
    sources: [],
    initialAssertions: [],
    steps: null,
  };
  return { ...none, ...probeOf(type)?.form };
}

/** Controls that a form may lack: what it does not contain is not part of the definition that it sends. */
const PLACES = placeFields([]);

function fieldsOf(type: string): FormField[] {
  const { essential, request, judged } = formOf(type);
  const checking = awaitsReports(type) ? [] : [intervalField(1), ...PLACES];
  return [NAME, ...essential, ...checking, TAGS, ...request, ...judged, ...thresholdsOf(type), ...ABOUT];
}

/** The names of controls of all types, whose contents the form of another type starts with. Secrets must not be here. */
export const CARRIED: readonly string[] = [
  'name',
  'host',
  'tags',
  'intervalSeconds',
  customField('intervalSeconds'),
  'key',
  'description',
  'runbookUrl',
];

/** Where a definition names the monitors that it depends on, which the form has a picker for. */
export const PARENTS_POINTER = '/parentIds';

/** Members of a definition that the form may not show, and that a copy has nevertheless. */
const UNSHOWN = ['locations', 'quorum', 'metadata'];

/** Returns the contents of the controls for a copy of a monitor. */
export function copyTexts(type: string, definition: JsonObject): Record<string, string> {
  const name = `${(definition.name as string).slice(0, MAX_NAME - COPY_SUFFIX.length)}${COPY_SUFFIX}`;
  return monitorTexts(type, { ...definition, name, key: null });
}

/** Returns the part of a definition that a copy has, although the form does not show it. */
export function unshownPart(definition: JsonObject): JsonObject {
  return Object.fromEntries(UNSHOWN.map((name) => [name, definition[name]!]));
}

/** Returns the form of a type with these contents, which assigns faults to fields. */
export function monitorForm(type: string, texts: ControlTexts): FormShape {
  const { takesAuth, sources, steps } = formOf(type);
  return {
    id: 'monitor',
    // The choice of the scheme also determines whether there are credentials at all.
    writtenBy: { '/auth': '/auth/type' },
    secrets: { ...secretsIn(fieldsOf(type)), ...(takesAuth && authSecret(texts('authType'))) },
    durations: Object.fromEntries(
      fieldsOf(type).flatMap(({ pointer, kind }) =>
        kind in UNIT_MS ? [[pointer, UNIT_MS[kind as DurationUnit]]] : [],
      ),
    ),
    labels: {
      ...labelsOf(fieldsOf(type)),
      ...(steps && { [steps.pointer]: 'Steps', ...labelsOfSteps(fieldsOfSteps(steps, texts)) }),
      ...(takesAuth && AUTH_LABELS),
      ...(sources.length > 0 && labelsOfAssertions()),
      [PARENTS_POINTER]: 'Depends on',
    },
  };
}

function labelsOf(fields: readonly FormField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ pointer, label }) => [pointer, label]));
}

function labelsOfSteps(all: readonly StepFields[]): Record<string, string> {
  const labels = all.map(({ pointer, essential, request, judged, other, others }, place) => ({
    [pointer]: `Step ${place + 1}`,
    ...labelsOf([...essential, ...request, ...judged]),
    ...labelsOfAssertions(pointer, ` of step ${place + 1}`),
    ...labelsOf([...other, others]),
  }));
  return Object.assign({}, ...labels) as Record<string, string>;
}

function labelsOfAssertions(pointer = '', whose = ''): Record<string, string> {
  const list = `${pointer}/assertions`;
  return {
    [list]: `Assertions${whose}`,
    ...Object.fromEntries(rowPointers(list).map((row, place) => [row, `Assertion ${place + 1}${whose}`])),
  };
}

/** Returns the contents of the controls for a definition in the form in which the API returns it. */
export function monitorTexts(type: string, definition: JsonObject): Record<string, string> {
  const { steps } = formOf(type);
  const texts = fieldsOf(type).map((field) => [nameOfField(field), textOf(field, valueAt(definition, field.pointer))]);
  return {
    ...(Object.fromEntries(texts) as Record<string, string>),
    ...(steps && stepTexts(steps, valueAt(definition, steps.pointer))),
    ...authTexts(definition.auth),
    ...assertionTexts(definition.assertions),
    [MONITORS_FIELD]: ((definition.parentIds ?? []) as string[]).join(),
  };
}

/**
 * Returns the definition of a monitor from its form. What the form was opened with is in `stored`; nothing for a new
 * monitor.
 */
export function monitorBody(type: string, form: FormFields, stored: JsonObject = {}): JsonObject {
  const { takesAuth, sources, steps } = formOf(type);
  const body: JsonObject = { type };
  for (const field of fieldsOf(type)) {
    const name = nameOfField(field);
    if (PLACES.includes(field) && !form.has(name)) continue;
    // An empty secret is left out, so that a change of a monitor keeps the stored one.
    if (field.secret && form.text(name) === '') continue;
    const value = valueAt(stored, field.pointer) ?? null;
    put(body, field.pointer, isUnedited(field, form, value) ? value : valueOf(field, form));
  }
  if (steps) put(body, steps.pointer, stepsOf(steps, form));
  if (takesAuth) body.auth = authOf(form);
  if (sources.length > 0) body.assertions = assertionsOf(form);
  if (form.has(MONITORS_FIELD)) body.parentIds = pickedIds(form.text(MONITORS_FIELD));
  return body;
}

/** Kinds of controls that do not represent every value, such as a tag with a comma or a pattern that ends with a space. */
const INEXACT: ReadonlySet<FieldKind> = new Set(['list', 'text']);

/** Returns whether a control still has the contents with which it was opened, so that the stored value is kept. */
function isUnedited(field: FormField, form: FormFields, stored: JsonValue): boolean {
  if (stored === null || field.secret || !INEXACT.has(field.kind)) return false;
  // Browsers send line breaks as CR LF, and remove them from a line.
  const sent = (text: string): string => text.replace(/\r\n?|\n/g, field.lines === undefined ? '' : '\n');
  return sent(form.text(nameOfField(field))) === sent(textOf(field, stored));
}

/** Returns the name of a new monitor that was given none: its target without the parts that may be secret. */
export function nameOfTarget(type: string, body: JsonObject): string | null {
  // A schedule is not a name.
  if (awaitsReports(type)) return null;
  const { essential, steps } = formOf(type);
  const first = essential[0]?.pointer ?? (steps && `${steps.pointer}/0/url`);
  const target = first == null ? null : valueAt(body, first);
  if (typeof target !== 'string') return null;
  const [address = ''] = target.replace(/^https?:\/\//i, '').split(/[?#]/);
  const name = address.replace(/\/$/, '').slice(0, MAX_NAME);
  return name === '' ? null : name;
}

/**
 * Returns the merge patch from the form of a monitor. It contains only what the form shows, so that all other members
 * of the definition remain. `current` is the stored definition; headers that were removed from it are null in the
 * patch.
 */
export function monitorPatch(type: string, form: FormFields, current: JsonObject): JsonObject {
  const { type: _, ...patch } = monitorBody(type, form, current);
  for (const { pointer, kind } of fieldsOf(type)) {
    const [sent, stored] = [valueAt(patch, pointer), valueAt(current, pointer)];
    if (kind !== 'headers' || !isJsonObject(sent) || !isJsonObject(stored)) continue;
    const kept = new Set(Object.keys(sent).map((name) => name.toLowerCase()));
    const removed = Object.keys(stored).filter((name) => !kept.has(name.toLowerCase()));
    put(patch, pointer, { ...sent, ...Object.fromEntries(removed.map((name) => [name, null])) });
  }
  return patch;
}

/** Returns a form with its assertions in the rows to which the pointers of faults refer. */
export function inOrder(type: string, form: FormFields): FormFields {
  const { steps } = formOf(type);
  const prefixes = steps ? fieldsOfSteps(steps, (name) => form.text(name)).map(({ prefix }) => prefix) : [];
  const texts = ['', ...prefixes].map((prefix) => assertionTexts(assertionsOf(form, prefix), prefix));
  return form.with(Object.assign({}, ...texts) as Record<string, string>);
}

/** Returns the body of a monitor of a type for display, with its secrets masked. */
export function withoutSecrets(type: string, { auth, ...rest }: JsonObject): JsonObject {
  const body = structuredClone(rest);
  const { steps } = formOf(type);
  const listed = steps && valueAt(body, steps.pointer);
  if (steps && Array.isArray(listed)) {
    put(
      body,
      steps.pointer,
      listed.map((step) => (isJsonObject(step) ? withoutSecrets(steps.like, step) : step)),
    );
  }
  for (const { pointer, secret } of fieldsOf(type)) {
    if (secret && valueAt(body, pointer) !== undefined) put(body, pointer, '…');
  }
  if (!isJsonObject(auth)) return auth === undefined ? body : { ...body, auth };
  const hidden = ['password', 'token', 'clientSecret'].filter((name) => auth[name]);
  return { ...body, auth: { ...auth, ...Object.fromEntries(hidden.map((name) => [name, '…'])) } };
}

function valueAt(definition: JsonObject, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((at, step) => {
      if (Array.isArray(at)) return at[Number(step)];
      return isJsonObject(at) ? at[step] : undefined;
    }, definition);
}

function put(body: JsonObject, pointer: string, value: JsonValue): void {
  const steps = pointer.split('/').slice(1);
  const last = steps.pop()!;
  let at = body;
  for (const step of steps) at = (at[step] ??= {}) as JsonObject;
  at[last] = value;
}
