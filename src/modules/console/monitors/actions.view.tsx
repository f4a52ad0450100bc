import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, SelectField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { type Crumb, page } from '../html/layout.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { durationChoices } from './pause-form.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { pathOf } from './shown-monitor.js';

export function renderPause(frame: PageFrame, monitor: MonitorDto, form: FormState): string {
  const path = pathOf(monitor);
  const isPaused = monitor.pausedAt !== null;
  return page(frame, {
    title: isPaused ? `Change the pause of ${monitor.name}` : `Pause ${monitor.name}`,
    section: 'Monitors',
    trail: trailTo(monitor),
    form,
    children: (
      <>
        <Form frame={frame} action={`${path}/pause`} class="form card">
          <p>
            While a monitor is paused, it is not checked and opens no incidents, and the time counts as neither up nor
            down.
          </p>
          <SelectField
            form={form}
            pointer="/durationSeconds"
            choices={durationChoices(monitor)}
            help={
              monitor.pausedUntil !== null && (
                <>
                  The current pause ends at <Time at={monitor.pausedUntil} />.
                </>
              )
            }
          />
          <TextField form={form} pointer="/reason" help="Optional. Shown while the monitor is paused." />
          <Buttons>
            <button class="button" type="submit">
              {isPaused ? 'Save' : 'Pause'}
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
          <p class="help">
            For planned work, <a href="/maintenance/new">schedule maintenance</a> instead: checks continue during it.
          </p>
        </Form>
        <WithCurl
          id="pause-curl"
          command={curlLine('POST', `${frame.origin}/v1${path}/pause`, {
            body: { durationSeconds: 3_600, reason: 'Deploying 2.4.0' },
          })}
        />
      </>
    ),
  });
}

export function renderDeleteMonitor(frame: PageFrame, monitor: MonitorDto): string {
  const path = pathOf(monitor);
  return renderConfirm(frame, {
    title: `Delete ${monitor.name}?`,
    section: 'Monitors',
    trail: trailTo(monitor),
    action: `${path}/delete`,
    button: 'Delete monitor',
    back: path,
    curl: curlLine('DELETE', `${frame.origin}/v1${path}`),
    children: (
      <p>
        This deletes its checks and uptime history and removes it from status pages. Its incidents are kept. This cannot
        be undone. To stop checking temporarily, <a href={`${path}/pause`}>pause it</a> instead.
      </p>
    ),
  });
}

function trailTo(monitor: MonitorDto): Crumb[] {
  return [
    { label: 'Monitors', href: '/monitors' },
    { label: monitor.name, href: pathOf(monitor) },
  ];
}
