import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { CheckField } from '../html/check-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { PickedMonitors } from '../picker/picked-monitors.js';
import { Recipients } from '../recipients.js';
import { Revision } from '../revision.js';
import { RECURRENCE_CHOICES, WEEKDAYS } from './recurrence-form.js';
import { AUDIENCE_CHOICES } from './window-form.js';
import { MAINTENANCE_PATH } from './windows.view.js';

export interface WindowEditorProps {
  form: FormState;
  picked: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** The window to edit; null for a new one. */
  window: MaintenanceWindowDto | null;
  /** How many subscribers are emailed about the selected monitors. */
  recipients: number;
}

const EXAMPLE = {
  name: 'Database upgrades',
  tags: ['payments'],
  startsAt: '2030-01-06T01:30:00Z',
  endsAt: '2030-01-06T03:30:00Z',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=MONTHLY;BYDAY=1SU',
};

/** Renders the form that creates or edits a window. */
export function renderWindowEditor(
  frame: PageFrame,
  { form, picked, hits, window, recipients }: WindowEditorProps,
): string {
  const path = window ? `${MAINTENANCE_PATH}/${window.id}` : MAINTENANCE_PATH;
  const api = `${frame.origin}/v1/maintenance-windows`;
  const curl = window
    ? curlLine('PATCH', `${api}/${window.id}`, { body: { description: 'Short interruptions are likely.' } })
    : curlLine('POST', api, { body: EXAMPLE });
  return page(frame, {
    title: window ? `Edit ${window.name}` : 'Schedule maintenance',
    section: 'Maintenance',
    trail: [{ label: 'Maintenance', href: MAINTENANCE_PATH }, ...(window ? [{ label: window.name, href: path }] : [])],
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <Form frame={frame} action={window ? `${path}/edit` : `${path}/new`} class="form wide" guards={form}>
          <EnterButton />
          {window && <Revision form={form} revision={window.revision} stored={path} />}
          <div class="group">
            <TextField form={form} pointer="/name" required />
            <AreaField form={form} pointer="/description" help="Also shown on status pages." />
            <CheckField form={form} pointer="/public" />
            <RadioField
              form={form}
              pointer="/notifySubscribers"
              choices={AUDIENCE_CHOICES}
              help={<Recipients count={recipients} />}
            />
          </div>
          <When form={form} isNew={window === null} />
          <PickedMonitors
            form={form}
            help="Select monitors here, by tag below, or both."
            action={window ? `${path}/edit` : `${path}/new`}
            picked={picked}
            hits={hits}
          />
          <div class="group">
            <TextField
              form={form}
              pointer="/tags"
              help="Comma-separated. Includes every monitor that has one of these tags while the window is active."
            />
          </div>
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              {window ? 'Save' : 'Schedule maintenance'}
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl id="window-curl" command={curl} />
      </>
    ),
  });
}

function When({ form, isNew }: { form: FormState; isNew: boolean }) {
  const isOpen = isNew && !form.isSent && form.text('startsAt') === '' && form.text('endsAt') === '';
  return (
    <fieldset class="group">
      <legend>When</legend>
      <p class="help">Leave start and end empty for a window that you start manually.</p>
      <div class="columns">
        <TextField form={form} pointer="/startsAt" type="datetime-local" />
        <TextField form={form} pointer="/endsAt" type="datetime-local" />
        <ZoneField form={form} pointer="/timezone" isOpen={isOpen} />
      </div>
      <div class="reveals">
        <SelectField form={form} pointer="/recurs" choices={RECURRENCE_CHOICES} />
        <Weekdays form={form} />
        <div class="when when-rule">
          <TextField
            form={form}
            pointer="/rrule"
            help="An RFC 5545 recurrence rule, for example FREQ=WEEKLY;INTERVAL=2;BYDAY=SU. The first occurrence always begins at the start above."
          />
        </div>
      </div>
    </fieldset>
  );
}

function Weekdays({ form }: { form: FormState }) {
  return (
    <fieldset class="field when when-weekly">
      <legend>Days of the week</legend>
      <p class="help">If none is selected, the window repeats on the weekday of its start.</p>
      <div class="days">
        {WEEKDAYS.map(({ code, word }) => (
          <div key={code} class="choice">
            <input
              id={`window-on-${code}`}
              name={`on${code}`}
              type="checkbox"
              checked={form.text(`on${code}`) !== ''}
            />
            <label for={`window-on-${code}`}>{word}</label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
