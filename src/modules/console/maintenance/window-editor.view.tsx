import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { CheckField } from '../html/check-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { PickedMonitors } from '../picker/picked-monitors.js';
import { Revision } from '../revision.js';
import { RECURRENCE_CHOICES, WEEKDAYS } from './recurrence-form.js';
import { MAINTENANCE_PATH } from './windows.view.js';

export interface WindowEditorProps {
  form: FormState;
  picked: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** The window to edit; null for a new one. */
  window: MaintenanceWindowDto | null;
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
export function renderWindowEditor(frame: PageFrame, { form, picked, hits, window }: WindowEditorProps): string {
  const path = window ? `${MAINTENANCE_PATH}/${window.id}` : MAINTENANCE_PATH;
  const api = `${frame.origin}/v1/maintenance-windows`;
  const curl = window
    ? curlLine('PATCH', `${api}/${window.id}`, { body: { description: 'Short interruptions are likely.' } })
    : curlLine('POST', api, { body: EXAMPLE });
  return page(frame, {
    title: window ? `Edit ${window.name}` : 'Schedule maintenance',
    section: 'Maintenance',
    form,
    children: (
      <>
        <Form frame={frame} action={window ? `${path}/edit` : `${path}/new`} class="form wide">
          <EnterButton />
          {window && <Revision form={form} revision={window.revision} stored={path} />}
          <TextField form={form} pointer="/name" required />
          <AreaField form={form} pointer="/description" help="Also shown on status pages." />
          <PickedMonitors
            form={form}
            help="Select monitors here, by tag below, or both."
            action={window ? `${path}/edit` : `${path}/new`}
            picked={picked}
            hits={hits}
          />
          <TextField
            form={form}
            pointer="/tags"
            help="Comma-separated. Includes every monitor that has one of these tags at the time."
          />
          <When form={form} isNew={window === null} />
          <CheckField form={form} pointer="/public" />
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
  const isOpen = isNew && form.text('startsAt') === '' && form.text('endsAt') === '';
  return (
    <fieldset class="group">
      <legend>When</legend>
      <p class="help">Leave start and end empty for a window that is only started manually.</p>
      <div class="columns">
        <TextField form={form} pointer="/startsAt" type="datetime-local" />
        <TextField form={form} pointer="/endsAt" type="datetime-local" />
        <ZoneField form={form} pointer="/timezone" isOpen={isOpen} />
      </div>
      <RadioField form={form} pointer="/recurs" choices={RECURRENCE_CHOICES} />
      <fieldset class="field">
        <legend>Days of the week</legend>
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
      <TextField
        form={form}
        pointer="/rrule"
        help="Only for “Custom (RRULE)”, for example FREQ=WEEKLY;INTERVAL=2;BYDAY=SU. The first occurrence is always the start above."
      />
    </fieldset>
  );
}
