import { type FormField } from '../../../../domain/form-field.js';
import { MASK } from '../../../../domain/mask.js';
import { type StepsForm } from '../../../../probes/probe-form.js';
import { type FormState } from '../../form-state.js';
import { StepList } from '../../html/step-list.js';
import { AssertionFields } from './assertion-fields.js';
import { rowPointers } from './assertion-rows.js';
import { assertionsBrief, briefOf, joined } from './briefs.js';
import { Control, Controls } from './controls.js';
import { pointersOf } from './form-field.js';
import { Group } from './group.js';
import { formOf } from './monitor-form.js';
import { askedAgain } from './secrets.js';
import { fieldsOfSteps, type StepFields, STEPS_FIELD } from './step-rows.js';

interface MonitorStepsProps {
  form: FormState;
  steps: StepsForm;
  /** The path to which the form is sent. */
  action: string;
  /** Whether the form is of a copy, which does not have the secrets of its original. */
  isCopy: boolean;
}

/** The steps of a monitor, each with its controls. */
export function MonitorSteps({ form, steps, action, isCopy }: MonitorStepsProps) {
  const all = fieldsOfSteps(steps, (name) => form.text(name));
  return (
    <StepList
      form={form}
      pointer={steps.pointer}
      help={steps.help}
      count={all.length}
      most={steps.most}
      action={action}
      mayMove
      step={(place) => <Step form={form} step={all[place]!} like={steps.like} isCopy={isCopy} />}
    >
      <input type="hidden" name={STEPS_FIELD} value={all.length} />
    </StepList>
  );
}

interface StepProps {
  form: FormState;
  step: StepFields;
  like: string;
  isCopy: boolean;
}

function Step({ form, step, like, isCopy }: StepProps) {
  const { pointer, prefix, essential, judged, other } = step;
  const withHelp = (field: FormField) => (isCopy ? askedAgain(field, (name) => form.text(name)) : field);
  const [request, others] = [step.request.map(withHelp), withHelp(step.others)];
  const isOpen = (...fields: FormField[]) => isCopy && fields.some((field) => form.text(field.name!).includes(MASK));
  const texts = (name: string) => form.text(prefix + name);
  const assertions = `${pointer}/assertions`;
  return (
    <>
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
    </>
  );
}
