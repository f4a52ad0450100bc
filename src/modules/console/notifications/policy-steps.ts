import { type FormFields } from '../../../http/body/form-fields.js';
import { MAX_STEPS } from '../../notification-policies/dto/create-notification-policy.dto.js';
import { type ShownStepDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { inOrderOf } from '../field-values.js';
import { customField, durationOf } from '../html/duration-choice.js';

export { MAX_STEPS };

/** A step as the fields of a form contain it. */
export interface StepFields {
  /** The chosen delay in seconds; empty for none, `custom` for the number in the field beside it. */
  after: string;
  afterCustom: string;
  channelIds: string[];
}

type Fields = Readonly<Record<string, string>>;

const STEP_FIELD = /^s(\d+)\.after$/;
const OF_STEP = /^s\d+\./;
/** The delay of a new step after the previous one, in seconds. */
const NEXT_STEP_SECONDS = 300;

export function afterField(step: number): string {
  return `s${step}.after`;
}

export function channelField(step: number, channelId: string): string {
  return `s${step}.channel.${channelId}`;
}

/** Returns the steps of a form, in order. */
export function stepsIn(fields: Fields): StepFields[] {
  const places = Object.keys(fields).flatMap((name) => STEP_FIELD.exec(name)?.[1] ?? []);
  return places
    .sort((a, b) => Number(a) - Number(b))
    .slice(0, MAX_STEPS)
    .map((place) => {
      const prefix = `s${place}.channel.`;
      // Channels are in no particular order, because a record of fields has none.
      const channels = Object.keys(fields)
        .filter((name) => name.startsWith(prefix))
        .sort();
      return {
        after: fields[`s${place}.after`] ?? '',
        afterCustom: fields[customField(`s${place}.after`)] ?? '',
        channelIds: channels.map((name) => name.slice(prefix.length)),
      };
    });
}

/** Returns the fields with their steps replaced by these. */
export function withSteps(fields: Fields, steps: readonly StepFields[]): Record<string, string> {
  const result = Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_STEP.test(name)));
  steps.forEach(({ after, afterCustom, channelIds }, step) => {
    result[afterField(step)] = after;
    result[customField(afterField(step))] = afterCustom;
    for (const id of channelIds) result[channelField(step, id)] = 'on';
  });
  return result;
}

/** Returns the fields of stored steps. */
export function storedSteps(steps: readonly ShownStepDto[]): StepFields[] {
  return steps.map(({ afterSeconds, channelIds }) => ({
    after: afterSeconds === 0 ? '' : String(afterSeconds),
    afterCustom: '',
    channelIds: [...channelIds],
  }));
}

/** A step that has not been filled in. */
export const BLANK_STEP: StepFields = { after: '', afterCustom: '', channelIds: [] };

/** The actions of buttons that change only the steps of the form. */
export const STEP_ACTIONS = ['add-step', 'remove-step', 'refresh'] as const;

/** Returns the fields after an action on their steps; `about` is the position of the step that it concerns. */
export function afterAction(fields: Fields, { what, about }: { what: string; about: string }): Record<string, string> {
  const steps = stepsIn(fields);
  if (what === 'add-step' && steps.length < MAX_STEPS) return withSteps(fields, [...steps, nextStep(steps.at(-1))]);
  if (what === 'remove-step' && steps.length > 1) {
    return withSteps(
      fields,
      steps.filter((_, at) => String(at) !== about),
    );
  }
  return { ...fields };
}

/** Returns the delay of a step in seconds; invalid input as it was typed. */
export function delayOf({ after, afterCustom }: StepFields): number | string {
  return (durationOf('seconds', after, afterCustom) ?? 0) as number | string;
}

/** Returns the steps of a form in the form that the API accepts. `stored`: the steps that the form was opened with. */
export function stepsBody(
  form: FormFields,
  stored: readonly ShownStepDto[] = [],
): { afterSeconds: number | string; channelIds: string[] }[] {
  return stepsIn(form.record()).map((step, at) => ({
    afterSeconds: delayOf(step),
    channelIds: inOrderOf(stored[at]?.channelIds, step.channelIds),
  }));
}

function nextStep(last: StepFields = BLANK_STEP): StepFields {
  const delay = delayOf(last);
  return { ...BLANK_STEP, after: typeof delay === 'number' ? String(delay + NEXT_STEP_SECONDS) : '' };
}
