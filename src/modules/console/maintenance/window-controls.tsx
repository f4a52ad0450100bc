import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { type FormState } from '../form-state.js';
import { type Choice, SelectField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { Icon } from '../html/icon.js';
import { MenuLink, MoreMenu } from '../html/menu.js';
import { type PageFrame } from '../page-frame.js';
import { lengthWords, minutesWords } from './window-words.js';

/** In minutes; at most the 12 hours that the API accepts. */
const DURATIONS = [5, 10, 15, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720];

interface ControlsProps {
  frame: PageFrame;
  window: MaintenanceWindowDto;
  /** The form that starts or extends the window. */
  start: FormState;
  path: string;
}

/** Starts the window, or extends and ends an active one. */
export function Controls({ frame, window, start, path }: ControlsProps) {
  const { active, startsAt } = window;
  const choices: Choice[] = DURATIONS.map((minutes) => ({
    value: String(minutes),
    label: `${minutesWords(minutes)}${active ? ' longer' : ''}`,
  }));
  if (startsAt !== null && !active) {
    choices.unshift({ value: '', label: `${lengthWords(window)} (scheduled duration)` });
  }
  return (
    <div class="window-controls">
      <Form frame={frame} action={`${path}/start`} class="window-start">
        {active && <input type="hidden" name="extend" value="on" />}
        <SelectField form={start} pointer="/durationSeconds" choices={choices} />
        <button class={active ? 'button plain' : 'button'} type="submit">
          {active ? 'Extend' : 'Start now'}
        </button>
      </Form>
      {active && (
        <Form frame={frame} action={`${path}/end`} class="inline">
          <button class="button" type="submit">
            End now
          </button>
        </Form>
      )}
    </div>
  );
}

export function WindowTools({ path }: { path: string }) {
  return (
    <>
      <a class="button plain" href={`${path}/edit`}>
        <Icon name="pencil" />
        Edit
      </a>
      <MoreMenu>
        <MenuLink href={`${path}/delete`} icon="trash" label="Delete" isDanger />
      </MoreMenu>
    </>
  );
}
