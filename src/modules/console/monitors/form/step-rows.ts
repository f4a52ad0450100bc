import { isDeepStrictEqual } from 'node:util';
import { type ControlTexts, type FormField } from '../../../../domain/form-field.js';
import { parsedJson } from '../../../../domain/parsed-json.js';
import { FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../http/body/json.js';
import { probeOf } from '../../../../probes/index.js';
import { type StepsForm } from '../../../../probes/probe-form.js';
import { assertionsOf, assertionTexts } from './assertion-rows.js';
import { nameOfField, textOf, valueOf } from './form-field.js';

/** The control that holds the number of steps. */
export const STEPS_FIELD = 'steps';
/** A member of a step whose faults are shown at its JSON, because the JSON is sent as its value if it is no object. */
const OTHERS_MEMBER = 'settings';
const OF_STEP = /^s\d+\./;

/** The controls of one step. */
export interface StepFields {
  pointer: string;
  /** How the names of its controls begin. */
  prefix: string;
  essential: FormField[];
  request: FormField[];
  judged: FormField[];
  other: FormField[];
  /** The control of all other members, as JSON. */
  others: FormField;
}

/** Returns the controls of the step at a place, counted from 0. */
function stepFields(steps: StepsForm, place: number): StepFields {
  const [pointer, prefix] = [`${steps.pointer}/${place}`, `s${place}.`];
  const ofStep = (field: FormField): FormField => ({
    ...field,
    pointer: pointer + field.pointer,
    name: prefix + nameOfField(field),
    label: `${field.label} of step ${place + 1}`,
  });
  return {
    pointer,
    prefix,
    essential: steps.essential.map(ofStep),
    request: steps.request.map(ofStep),
    judged: steps.judged.map(ofStep),
    other: steps.other.map(ofStep),
    others: ofStep({
      pointer: `/${OTHERS_MEMBER}`,
      label: 'Other settings',
      kind: 'json',
      lines: 3,
      help: 'Other members of the step as a JSON object, for example {"auth": {"type": "bearer", "token": "…"}}. ******** keeps a stored secret.',
    }),
  };
}

/** Returns the fields of all steps of a form. */
export function fieldsOfSteps(steps: StepsForm, texts: ControlTexts): StepFields[] {
  return Array.from({ length: stepCount(steps, texts) }, (_, place) => stepFields(steps, place));
}

function stepCount({ most }: StepsForm, texts: ControlTexts): number {
  return Math.min(Math.max(1, Number(texts(STEPS_FIELD)) || 1), most);
}

/** Returns the contents of the controls for these steps; without any, for one step to fill in. */
export function stepTexts(steps: StepsForm, value: JsonValue | undefined): Record<string, string> {
  const given = Array.isArray(value) ? value.filter(isJsonObject).slice(0, steps.most) : [];
  const all = given.length === 0 ? [{}] : given;
  const texts = all.flatMap((step, place) => Object.entries(textsOf(steps, step, place)));
  return { ...Object.fromEntries(texts), [STEPS_FIELD]: String(all.length) };
}

function textsOf(steps: StepsForm, step: JsonObject, place: number): Record<string, string> {
  const defaults = defaultsOf(steps);
  const { prefix, others, ...groups } = stepFields(steps, place);
  const shown = controlsOf(groups);
  const members = new Set(['assertions', ...shown.map(memberOf)]);
  const unshown = Object.entries(step).filter(
    ([name, one]) => !members.has(name) && one !== null && !isDeepStrictEqual(one, defaults[name]),
  );
  return {
    ...Object.fromEntries(
      shown.map((field) => [nameOfField(field), textOf(field, step[memberOf(field)] ?? defaults[memberOf(field)])]),
    ),
    [nameOfField(others)]: unshown.length === 0 ? '' : textOf(others, Object.fromEntries(unshown)),
    ...assertionTexts(step.assertions, prefix),
  };
}

/** Returns the steps of a form. What is empty is left out, so that its default applies. */
export function stepsOf(steps: StepsForm, form: FormFields): JsonObject[] {
  const all = fieldsOfSteps(steps, (name) => form.text(name));
  const names = new Set(all.map(({ prefix }) => form.text(`${prefix}name`).trim()));
  return all.map(({ prefix, others, ...groups }, place) => {
    const typed = form.text(nameOfField(others)).trim();
    const parsed = typed === '' ? {} : (parsedJson(typed) as JsonValue | undefined);
    const step: JsonObject = isJsonObject(parsed) ? { ...parsed } : { [OTHERS_MEMBER]: typed };
    for (const field of controlsOf(groups)) {
      const value = valueOf(field, form);
      if (value !== null) step[memberOf(field)] = value;
    }
    return { name: step.name ?? unusedName(place, names), ...step, assertions: assertionsOf(form, prefix) };
  });
}

/** Returns a name for the step at a place that no other step has, such as one that was moved or added between two. */
function unusedName(place: number, names: Set<string>): string {
  let number = place + 1;
  while (names.has(`Step ${number}`)) number += 1;
  names.add(`Step ${number}`);
  return `Step ${number}`;
}

/** The actions of buttons that change only the steps of the form, and save nothing. */
const ACTIONS = ['add-step', 'raise-step', 'remove-step'];

/** Returns the form after the action of its button, or null if that is none on steps. */
export function afterStepAction(steps: StepsForm, form: FormFields): FormFields | null {
  const [action = '', about] = form.text('do').split(':');
  if (!ACTIONS.includes(action)) return null;
  const texts = form.record();
  const others = Object.entries(texts).filter(([name]) => !OF_STEP.test(name));
  const all = fieldsOfSteps(steps, (name) => form.text(name)).map(({ prefix }) => withoutPrefix(texts, prefix));
  const place = Number(about);
  if (action === 'add-step' && all.length < steps.most) all.push(withoutPrefix(textsOf(steps, {}, 0), 's0.'));
  if (action === 'remove-step' && all.length > 1) all.splice(place, 1);
  if (action === 'raise-step' && place > 0) all.splice(place - 1, 0, ...all.splice(place, 1));
  const moved = all.flatMap((one, at) => Object.entries(one).map(([name, text]) => [`s${at}.${name}`, text]));
  return new FormFields(new URLSearchParams([...others, ...moved] as [string, string][])).with({
    [STEPS_FIELD]: String(all.length),
  });
}

function withoutPrefix(texts: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  const own = Object.entries(texts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, text]) => [name.slice(prefix.length), text]));
}

function controlsOf({
  essential,
  request,
  judged,
  other,
}: Omit<StepFields, 'pointer' | 'prefix' | 'others'>): FormField[] {
  return [...essential, ...request, ...judged, ...other];
}

function memberOf({ pointer }: FormField): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function defaultsOf({ like }: StepsForm): JsonObject {
  return (probeOf(like)?.defaults ?? {}) as JsonObject;
}
