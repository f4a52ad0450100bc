import { type FormState } from '../form-state.js';
import { CheckField } from '../html/check-field.js';
import { Errors, TextField } from '../html/fields.js';
import { Empty } from '../html/table.js';
import { MonitorSearchBox } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { componentField } from './page-components.js';

interface ComponentsEditorProps {
  form: FormState;
  monitors: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** The path to which the form is sent. */
  action: string;
}

const POINTER = '/components';

/** The components of a page, in order, and a search for more. Its buttons send the whole form and save nothing. */
export function ComponentsEditor({ form, monitors, hits, action }: ComponentsEditorProps) {
  const id = form.idOf(POINTER);
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend>{form.labelOf(POINTER)}</legend>
      <Errors id={id} errors={form.errorsAt(POINTER)} />
      {monitors.length === 0 ? (
        <Empty>No components yet. Search for a monitor below and add it.</Empty>
      ) : (
        <ol class="parts">
          {monitors.map((monitor, at) => (
            <li key={monitor.id}>
              <Component form={form} monitor={monitor} at={at} count={monitors.length} action={action} />
            </li>
          ))}
        </ol>
      )}
      <MonitorSearchBox
        hits={hits}
        chosen={new Set(monitors.map((one) => one.id))}
        label="Search monitors to add"
        action={action}
      />
    </fieldset>
  );
}

interface ComponentProps {
  form: FormState;
  monitor: NamedMonitor;
  at: number;
  count: number;
  action: string;
}

function Component({ form, monitor, at, count, action }: ComponentProps) {
  const pointer = `${POINTER}/${at}`;
  const id = form.idOf(pointer);
  const name = monitor.name ?? 'a deleted monitor';
  const hidden = (member: 'id' | 'monitorId') => (
    <input
      type="hidden"
      name={componentField(at, member)}
      value={member === 'monitorId' ? monitor.id : form.text(componentField(at, member))}
    />
  );
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend dir="auto">
        {at + 1}. {name}
      </legend>
      <Errors id={id} errors={form.errorsAt(pointer)} />
      {hidden('id')}
      {hidden('monitorId')}
      <div class="columns">
        <TextField
          form={form}
          pointer={`${pointer}/name`}
          name={componentField(at, 'name')}
          help="Default: the name of the monitor."
        />
        <TextField
          form={form}
          pointer={`${pointer}/group`}
          name={componentField(at, 'group')}
          help="Components of a group are shown together."
        />
        <TextField
          form={form}
          pointer={`${pointer}/description`}
          name={componentField(at, 'description')}
          help="Shown below the name."
        />
      </div>
      <div class="buttons">
        <CheckField form={form} pointer={`${pointer}/showUptime`} name={componentField(at, 'showUptime')} />
        {at > 0 && (
          <Step label="Move up" about={name} value={`up:${at}`} to={`${action}#${form.idOf(`${POINTER}/${at - 1}`)}`} />
        )}
        {at < count - 1 && (
          <Step
            label="Move down"
            about={name}
            value={`down:${at}`}
            to={`${action}#${form.idOf(`${POINTER}/${at + 1}`)}`}
          />
        )}
        <Step label="Remove" about={name} value={`remove:${at}`} to={`${action}#${form.idOf(POINTER)}`} />
      </div>
    </fieldset>
  );
}

function Step({ label, about, value, to }: { label: string; about: string; value: string; to: string }) {
  return (
    <button class="button plain small" type="submit" name="do" value={value} formaction={to} formnovalidate>
      {label}
      <span class="hidden"> {about}</span>
    </button>
  );
}
