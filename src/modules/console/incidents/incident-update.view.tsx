import { PHASE_WORDS } from '../../../html/status-words.js';
import { type IncidentDto, type Phase } from '../../incidents/dto/incident.dto.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { bindings, Buttons, Errors, RadioField } from '../html/fields.js';
import { CheckField } from '../html/check-field.js';
import { Form } from '../html/form.js';
import { type PageFrame } from '../page-frame.js';
import { recipientWords } from '../recipients.js';
import { AUDIENCE_CHOICES, BACK } from './incident-forms.js';
import { offeredPhases } from './incident-phases.js';

interface UpdateFormProps {
  frame: PageFrame;
  incident: IncidentDto;
  path: string;
  form: FormState;
  /** How many subscribers are emailed a public update. */
  recipients: number;
}

export const MARKDOWN_HELP = 'Supports Markdown: **bold**, `code`, lists, and [links](https://example.com).';

/** A form that posts an update. */
export function UpdateForm(props: UpdateFormProps) {
  const { frame, incident, path, form, recipients } = props;
  if (incident.kind === 'drill') return <DrillNoteForm {...props} />;
  return (
    <section aria-labelledby="post">
      <Form frame={frame} action={`${path}/updates`} class="form wide group" guards={form}>
        <h2 id="post">Post an update</h2>
        <Guidance incident={incident} />
        <RadioField form={form} pointer="/public" choices={AUDIENCE_CHOICES} />
        <PhaseField incident={incident} form={form} />
        <AreaField form={form} pointer="/text" rows={4} help={MARKDOWN_HELP} required />
        <CheckField
          form={form}
          pointer="/notifySubscribers"
          help={`Public updates only. ${recipientWords(recipients)}`}
        />
        <Buttons>
          <button class="button" type="submit">
            Post update
          </button>
          <span class="quiet only-desktop" data-with-script hidden>
            Ctrl+Enter
          </span>
        </Buttons>
      </Form>
    </section>
  );
}

/** The same for a drill, which status pages do not show. */
function DrillNoteForm({ frame, path, form }: UpdateFormProps) {
  return (
    <section aria-labelledby="post">
      <Form frame={frame} action={`${path}/updates`} class="form wide group" guards={form}>
        <h2 id="post">Add a note</h2>
        <p class="quiet">Visible to your team only.</p>
        <AreaField form={form} pointer="/text" rows={4} help={MARKDOWN_HELP} required />
        <Buttons>
          <button class="button" type="submit">
            Add note
          </button>
        </Buttons>
      </Form>
    </section>
  );
}

function Guidance({ incident: { kind, status } }: Pick<UpdateFormProps, 'incident'>) {
  if (status === 'resolved') {
    const how = kind === 'manual' ? ' If the problem is back, reopen it from the menu next to the title.' : '';
    return <p class="quiet">This incident is resolved. Posting an update does not reopen it.{how}</p>;
  }
  return kind === 'detected' ? <p class="quiet">This incident resolves automatically once checks pass again.</p> : null;
}

/** The status of a public update. A step back has to be looked for, so that it does not happen by accident. */
function PhaseField({ incident, form }: Pick<UpdateFormProps, 'incident' | 'form'>) {
  const pointer = '/phase';
  const { control, errors } = bindings({ form, pointer });
  const { id, name, ...aria } = control;
  const chosen = form.text(name);
  const { phases, earlier } = offeredPhases(incident);
  // A form that was sent may name a status that is no longer offered.
  const checked = [...phases, ...earlier.map((phase) => BACK + phase)].includes(chosen) ? chosen : null;
  const choice = (phase: Phase, value: string) => (
    <label key={value} class="chip">
      <input type="radio" name={name} value={value} checked={value === checked} />
      {PHASE_WORDS[phase]}
    </label>
  );
  return (
    <fieldset class="field" id={id} tabIndex={-1} {...aria}>
      <legend>Status of a public update</legend>
      <Errors id={id} errors={errors} />
      <div class="chips">{phases.map((phase) => choice(phase, phase))}</div>
      {earlier.length > 0 && (
        <details open={chosen.startsWith(BACK)}>
          <summary>Return to an earlier status</summary>
          <div class="chips">{earlier.map((phase) => choice(phase, BACK + phase))}</div>
        </details>
      )}
    </fieldset>
  );
}
