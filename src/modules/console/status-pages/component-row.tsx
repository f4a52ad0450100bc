import { type ComponentChildren } from 'preact';
import { type IconName } from '../../../html/icons.js';
import { type FormState } from '../form-state.js';
import { bindings, Errors } from '../html/fields.js';
import { Icon } from '../html/icon.js';
import { MenuButton, MenuLink, MoreMenu } from '../html/menu.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { type ComponentFields, type GroupFields } from './page-components.js';
import { componentPointer } from './page-form.js';

/** A menu does not offer more groups than a reader can survey. */
const MAX_TARGETS = 12;

interface ComponentRowProps {
  form: FormState;
  component: ComponentFields;
  monitor: NamedMonitor;
  /** The position among the components of all groups. */
  at: number;
  /** The other groups. */
  targets: readonly GroupFields[];
  /** The path to which the form is sent, with the fragment of the list. */
  action: string;
}

/** A component in one line: its handle, name, description, whether its history is shown, and a menu. */
export function ComponentRow({ form, component, monitor, at, targets, action }: ComponentRowProps) {
  const { field } = component;
  const pointer = componentPointer(at);
  const monitorName = monitor.name ?? 'A deleted monitor';
  const about = component.name || monitorName;
  const history = bindings({ form, pointer: `${pointer}/showUptime`, name: `${field}.showUptime` });
  return (
    <li class="row" data-token={field} data-name={about} id={form.idOf(pointer)} tabIndex={-1}>
      <Errors id={form.idOf(pointer)} errors={form.errorsAt(pointer)} />
      <input type="hidden" name={`${field}.id`} value={component.id} />
      <input type="hidden" name={`${field}.monitorId`} value={component.monitorId} />
      <Handle about={about} />
      <RowText form={form} pointer={`${pointer}/name`} name={`${field}.name`} placeholder={monitorName} />
      <RowText
        form={form}
        pointer={`${pointer}/description`}
        name={`${field}.description`}
        placeholder="Description (optional)"
      />
      <span class="row-history">
        <Errors id={history.control.id} errors={history.errors} />
        <label class="choice" title="Show its daily history and uptime">
          <input {...history.control} type="checkbox" checked={component.showUptime !== ''} />
          <span>
            History<span class="hidden"> of {about}</span>
          </span>
        </label>
      </span>
      <Steps field={field} about={about} action={action} />
      <MoreMenu about={about}>
        <p class="note quiet">
          Monitor: <bdi>{monitorName}</bdi>
        </p>
        {monitor.name !== null && (
          <MenuLink href={`/monitors/${monitor.id}`} icon="external-link" label="Open monitor" about={monitorName} />
        )}
        {targets.slice(0, MAX_TARGETS).map((group) => (
          <MenuButton
            key={group.field}
            name="do"
            value={`into:${field} ${group.field}`}
            to={action}
            icon="chevron-right"
            label={`Move to ${group.name.trim() || 'the unnamed group'}`}
            about={about}
          />
        ))}
        <hr />
        <MenuButton
          name="do"
          value={`remove:${field}`}
          to={action}
          icon="trash"
          label="Remove"
          about={about}
          isDanger
        />
      </MoreMenu>
    </li>
  );
}

interface RowTextProps {
  form: FormState;
  pointer: string;
  name: string;
  placeholder: string;
  isFocused?: boolean;
}

/** A text field without a visible label, whose placeholder is its default or its purpose. */
export function RowText({ form, pointer, name, placeholder, isFocused = false }: RowTextProps) {
  const { control, errors } = bindings({ form, pointer, name });
  return (
    <span class="row-text">
      <Errors id={control.id} errors={errors} />
      <input
        {...control}
        aria-label={form.labelOf(pointer)}
        placeholder={placeholder}
        dir="auto"
        autocomplete="off"
        autofocus={isFocused}
        value={form.text(name)}
      />
    </span>
  );
}

/** The handle by which the script moves a row: by dragging it, or with the arrow keys. */
export function Handle({ about }: { about: string }) {
  return (
    <button type="button" class="button ghost square handle" data-handle aria-describedby="handle-help" hidden>
      <Icon name="grip-vertical" />
      <span class="hidden">Reorder {about}</span>
    </button>
  );
}

/** Buttons that move a row by one place. */
export function Steps({ field, about, action }: { field: string; about: string; action: string }) {
  return (
    <span class="steps">
      <Step value={`up:${field}`} icon="arrow-up" action={action}>
        Move {about} up
      </Step>
      <Step value={`down:${field}`} icon="arrow-down" action={action}>
        Move {about} down
      </Step>
    </span>
  );
}

interface StepProps {
  value: string;
  icon: IconName;
  action: string;
  children: ComponentChildren;
}

function Step({ value, icon, action, children }: StepProps) {
  return (
    <button
      class="button ghost square"
      type="submit"
      name="do"
      value={value}
      formaction={action}
      formnovalidate
      data-step
    >
      <Icon name={icon} />
      <span class="hidden">{children}</span>
    </button>
  );
}
