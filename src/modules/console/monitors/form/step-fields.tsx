import { type FormField } from '../../../../domain/form-field.js';
import { MASK } from '../../../../domain/mask.js';
import { type StepsForm } from '../../../../probes/probe-form.js';
import { type FormState } from '../../form-state.js';
import { Errors } from '../../html/fields.js';
import { Icon } from '../../html/icon.js';
import { AssertionFields } from './assertion-fields.js';
import { rowPointers } from './assertion-rows.js';
import { assertionsBrief, briefOf, joined } from './briefs.js';
import { Control, Controls } from './controls.js';
import { Group } from './group.js';
import { formOf } from './monitor-form.js';
import { askedAgain } from './secrets.js';
import { fieldsOfSteps, type StepFields, STEPS_FIELD } from './step-rows.js';

interface StepFieldsProps {
  form: FormState;
  steps: StepsForm;
  /** The path to which the form is sent. Its buttons for steps save nothing. */
  action: string;
  /** Whether the form is of a copy, which does not have the secrets of its original. */
  isCopy: boolean;
}

/** The steps of a monitor, each with its controls. */
export function StepsFieldset({ form, steps, action, isCopy }: StepFieldsProps) {
  const id = form.idOf(steps.pointer);
  const all = fieldsOfSteps(steps, (name) => form.text(name));
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend>{form.labelOf(steps.pointer)}</legend>
      <p class="help">{steps.help}</p>
      <Errors id={id} errors={form.errorsAt(steps.pointer)} />
      <input type="hidden" name={STEPS_FIELD} value={all.length} />
      <ol class="steps-list">
        {all.map((step, place) => (
          <Step
            key={place}
            form={form}
            step={step}
            place={place}
            like={steps.like}
            action={`${action}#${id}`}
            isOnly={all.length === 1}
            isCopy={isCopy}
          />
        ))}
      </ol>
      {all.length < steps.most && (
        <div>
          <button
            class="button plain small"
            type="submit"
            name="do"
            value="add-step"
            formaction={`${action}#${id}-${all.length}`}
            formnovalidate
          >
            <Icon name="plus" />
            Add step
          </button>
        </div>
      )}
    </fieldset>
  );
}

interface StepProps {
  form: FormState;
  step: StepFields;
  place: number;
  like: string;
  action: string;
  isOnly: boolean;
  isCopy: boolean;
}

function Step({ form, step, place, like, action, isOnly, isCopy }: StepProps) {
  const { pointer, prefix, essential, judged, other } = step;
  const withHelp = (field: FormField) => (isCopy ? askedAgain(field, (name) => form.text(name)) : field);
  const [request, others] = [step.request.map(withHelp), withHelp(step.others)];
  const isOpen = (...fields: FormField[]) => isCopy && fields.some((field) => form.text(field.name!).includes(MASK));
  const texts = (name: string) => form.text(prefix + name);
  const button = {
    class: 'button ghost small',
    type: 'submit',
    name: 'do',
    formaction: action,
    formnovalidate: true,
  } as const;
  const assertions = `${pointer}/assertions`;
  return (
    <li class="step" id={form.idOf(pointer)} tabIndex={-1}>
      <div class="step-head">
        <strong>{form.labelOf(pointer)}</strong>
        <span>
          {place > 0 && (
            <button {...button} value={`raise-step:${place}`}>
              Move up<span class="hidden"> step {place + 1}</span>
            </button>
          )}
          {!isOnly && (
            <button {...button} value={`remove-step:${place}`}>
              <Icon name="x" />
              Remove<span class="hidden"> step {place + 1}</span>
            </button>
          )}
        </span>
      </div>
      <Errors id={form.idOf(pointer)} errors={form.errorsAt(pointer)} />
      <div class="columns">
        <Controls form={form} fields={essential} />
      </div>
      <Group
        form={form}
        title="Request"
        brief={briefOf(request, texts)}
        pointers={pointersOf(request)}
        isOpen={isOpen(...request)}
      >
        <Controls form={form} fields={request} />
      </Group>
      <Group
        form={form}
        title="Success criteria"
        brief={joined([briefOf(judged, texts), assertionsBrief(texts)])}
        pointers={[...pointersOf(judged), assertions, ...rowPointers(assertions)]}
      >
        <Controls form={form} fields={judged} />
        <AssertionFields form={form} sources={formOf(like).sources} step={{ pointer, prefix }} />
      </Group>
      <Group
        form={form}
        title="Values and other settings"
        brief={joined([briefOf(other, texts), form.text(others.name!) === '' ? null : 'with other settings']) || 'none'}
        pointers={pointersOf([...other, others])}
        isOpen={isOpen(others)}
      >
        <Controls form={form} fields={other} />
        <Control form={form} field={others} />
      </Group>
    </li>
  );
}

function pointersOf(fields: readonly { pointer: string }[]): string[] {
  return fields.map(({ pointer }) => pointer);
}
