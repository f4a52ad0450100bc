import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { CheckField } from '../html/check-field.js';
import { AreaField } from '../html/area-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { FORMS_SCRIPT } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { PickedMonitors } from '../picker/picked-monitors.js';
import { Recipients } from '../recipients.js';
import { Revision } from '../revision.js';
import { FIRST_PHASES, IMPACT_CHOICES } from './incident-words.js';
import { MARKDOWN_HELP } from './incident-update.view.js';
import { INCIDENTS_PATH } from './incidents.view.js';

export interface IncidentEditorProps {
  form: FormState;
  picked: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** How many subscribers are emailed about the selected monitors. */
  recipients: number;
}

const PICK_HELP = 'Select at least one. The incident appears on every status page that shows one of them.';

/** Renders the form that reports an incident which checks do not detect. */
export function renderNewIncident(frame: PageFrame, { form, recipients, ...monitors }: IncidentEditorProps): string {
  const example = { title: 'Payments are delayed', monitorIds: ['key:checkout-api'], impact: 'degraded' };
  return page(frame, {
    title: 'Report incident',
    section: 'Incidents',
    trail: [{ label: 'Incidents', href: INCIDENTS_PATH }],
    form,
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <p class="lead">
          For problems that checks cannot detect. Manual incidents do not affect uptime, which is computed only from
          checks.
        </p>
        <Form frame={frame} action={`${INCIDENTS_PATH}/new`} class="form wide" guards={form}>
          <EnterButton />
          <fieldset class="group">
            <legend>Incident</legend>
            <TextField form={form} pointer="/title" help="Shown on your status pages." required />
            <RadioField form={form} pointer="/impact" choices={IMPACT_CHOICES} />
          </fieldset>
          <PickedMonitors form={form} help={PICK_HELP} action={`${INCIDENTS_PATH}/new`} {...monitors} />
          <fieldset class="group">
            <legend>Time</legend>
            <Times form={form} isNew />
          </fieldset>
          <fieldset class="group">
            <legend>First update</legend>
            <p class="quiet">Optional. You can post updates later.</p>
            <SelectField form={form} pointer="/update/phase" choices={FIRST_PHASES} />
            <AreaField form={form} pointer="/update/text" help={MARKDOWN_HELP} />
            <CheckField form={form} pointer="/update/notifySubscribers" help={<Recipients count={recipients} />} />
          </fieldset>
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              Report incident
            </button>
            <a href={INCIDENTS_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl id="incident-curl" command={curlLine('POST', `${frame.origin}/v1/incidents`, { body: example })} />
      </>
    ),
  });
}

/** Renders the form that edits an incident: the title of a detected one, all fields of a manual one. */
export function renderEditIncident(
  frame: PageFrame,
  { incident, form, recipients: _, ...monitors }: IncidentEditorProps & { incident: IncidentDto },
): string {
  const path = `${INCIDENTS_PATH}/${incident.id}`;
  return page(frame, {
    title: 'Edit incident',
    section: 'Incidents',
    trail: [
      { label: 'Incidents', href: INCIDENTS_PATH },
      { label: incident.title, href: path },
    ],
    form,
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        {incident.kind === 'detected' && (
          <p class="lead">
            Only the title can be edited; checks determine everything else. Status pages show the new title as well.
          </p>
        )}
        <Form frame={frame} action={`${path}/edit`} class="form wide" guards={form}>
          <EnterButton />
          <Revision form={form} revision={incident.revision} stored={path} />
          <fieldset class="group">
            <legend>Incident</legend>
            <TextField form={form} pointer="/title" required />
            {incident.kind === 'manual' && <RadioField form={form} pointer="/impact" choices={IMPACT_CHOICES} />}
          </fieldset>
          {incident.kind === 'manual' && (
            <>
              <PickedMonitors form={form} help={PICK_HELP} action={`${path}/edit`} {...monitors} />
              <fieldset class="group">
                <legend>Time</legend>
                <Times form={form} />
              </fieldset>
            </>
          )}
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              Save
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="incident-curl"
          command={curlLine('PATCH', `${frame.origin}/v1/incidents/${incident.id}`, {
            body: { title: 'Payments by card are delayed' },
          })}
        />
      </>
    ),
  });
}

function Times({ form, isNew = false }: { form: FormState; isNew?: boolean }) {
  const isOpen = isNew && !form.isSent && form.text('startedAt') === '' && form.text('resolvedAt') === '';
  return (
    <div class="columns">
      <TextField
        form={form}
        pointer="/startedAt"
        type="datetime-local"
        help={isNew ? 'Default: now.' : 'Leave empty to keep the current time.'}
      />
      <TextField form={form} pointer="/resolvedAt" type="datetime-local" help="Leave empty while it is ongoing." />
      <ZoneField form={form} pointer="/timezone" isOpen={isOpen} help="For example Europe/Berlin." />
    </div>
  );
}
