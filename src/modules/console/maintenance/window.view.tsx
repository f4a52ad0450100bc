import { includesRole } from '../../../domain/role.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { State } from '../html/state.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { recurrenceWords } from './recurrence-form.js';
import { lengthWords, momentWords, nextOccurrences, presentEnd, spanWords, windowMark } from './window-words.js';
import { MAINTENANCE_PATH } from './windows.view.js';

export interface WindowProps {
  window: MaintenanceWindowDto;
  monitors: readonly NamedMonitor[];
  /** The form that starts the window manually. */
  start: FormState;
}

const DONE: Readonly<Record<string, string>> = {
  planned: 'Maintenance scheduled.',
  changed: 'Maintenance window saved.',
  started: 'Maintenance started.',
  ended: 'Maintenance ended. Later occurrences are not affected.',
};

/** Maximum number of occurrences that the page lists. */
const MAX_NEXT = 5;

/** Renders the page of a maintenance window: its schedule, and the actions on it. */
export function renderWindow(frame: PageFrame, props: WindowProps): string {
  const { window, start } = props;
  const path = `${MAINTENANCE_PATH}/${window.id}`;
  return page(frame, {
    title: window.name,
    section: 'Maintenance',
    done: DONE[frame.done],
    form: start,
    children: (
      <>
        {window.description !== null && (
          <p class="prose lines" dir="auto">
            {window.description}
          </p>
        )}
        <Facts {...props} nowMs={frame.nowMs} />
        <Next window={window} nowMs={frame.nowMs} />
        {includesRole(frame.who!.role, 'editor') && <Actions frame={frame} path={path} {...props} />}
        <p>
          <a href={MAINTENANCE_PATH}>All maintenance windows</a>
        </p>
      </>
    ),
  });
}

function Facts({ window, monitors, nowMs }: WindowProps & { nowMs: number }) {
  const { mark, word } = windowMark(window);
  const endMs = window.active ? presentEnd(window, nowMs) : null;
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <State mark={mark} word={word} />
        {endMs !== null && `, scheduled until ${momentWords(endMs, window.timezone)}`}
        {window.active && endMs === null && ', started manually'}
      </dd>
      <dt>Schedule</dt>
      <dd>
        {window.startsAt === null
          ? 'Manual only'
          : `For ${lengthWords(window)} ${recurrenceWords(window.rrule)}, ${window.timezone} time`}
      </dd>
      <dt>Monitors</dt>
      <dd>
        <MonitorLinks monitors={monitors} none="None selected" />
      </dd>
      <dt>Tags</dt>
      <dd dir="auto">{window.tags.length === 0 ? 'None' : `Every monitor tagged ${window.tags.join(' or ')}`}</dd>
      <dt>Status pages</dt>
      <dd>{window.public ? 'Shown' : 'Not shown'}</dd>
    </dl>
  );
}

function Next({ window, nowMs }: { window: MaintenanceWindowDto; nowMs: number }) {
  const next = nextOccurrences(window, nowMs, MAX_NEXT);
  if (window.startsAt === null) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next occurrences</h2>
      {next.length === 0 ? (
        <p class="quiet">{window.active ? 'None after the current one.' : 'None. The schedule has ended.'}</p>
      ) : (
        <ul>
          {next.map((span) => (
            <li key={span.from}>{spanWords(span, window.timezone)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Actions({ frame, path, ...shown }: WindowProps & { frame: PageFrame; path: string }) {
  const { window } = shown;
  const api = `${frame.origin}/v1/maintenance-windows/${window.id}`;
  return (
    <>
      <section aria-labelledby="by-hand">
        <h2 id="by-hand">Start and end manually</h2>
        {window.active && (
          <>
            <Form frame={frame} action={`${path}/end`} class="inline">
              <button class="button" type="submit">
                End now
              </button>
            </Form>
            <WithCurl id="end-curl" of="End now" command={curlLine('POST', `${api}/end`)} />
          </>
        )}
        <Start frame={frame} path={path} api={api} {...shown} />
      </section>
      <p class="buttons">
        <a class="button plain" href={`${path}/edit`}>
          Edit
        </a>
        <a class="button plain" href={`${path}/delete`}>
          Delete
        </a>
      </p>
    </>
  );
}

/**
 * A form that starts the window manually. An active window can be started again to extend it: it then ends once both
 * the new duration and its scheduled occurrence are over.
 */
function Start({ frame, path, api, window, start }: WindowProps & { frame: PageFrame; path: string; api: string }) {
  const label = window.active ? 'Extend' : 'Start now';
  const range = window.active ? '1 to 43,200, from now.' : '1 to 43,200.';
  return (
    <>
      <Form frame={frame} action={`${path}/start`}>
        <TextField
          form={start}
          pointer="/durationSeconds"
          type="number"
          help={window.startsAt === null ? range : `${range} Default: ${lengthWords(window)}, as scheduled.`}
          required={window.startsAt === null}
        />
        <Buttons>
          <button class={window.active ? 'button plain' : 'button'} type="submit">
            {label}
          </button>
        </Buttons>
      </Form>
      <WithCurl
        id="start-curl"
        of={label}
        command={curlLine('POST', `${api}/start`, { body: { durationSeconds: 900 } })}
      />
    </>
  );
}

export function renderDeleteWindow(frame: PageFrame, window: MaintenanceWindowDto, form?: FormState): string {
  const path = `${MAINTENANCE_PATH}/${window.id}`;
  return renderConfirm(frame, {
    title: `Delete ${window.name}?`,
    section: 'Maintenance',
    action: `${path}/delete`,
    button: 'Delete window',
    back: path,
    form,
    curl: curlLine('DELETE', `${frame.origin}/v1/maintenance-windows/${window.id}`),
    children: (
      <p>Past maintenance stays in the history. If the window is active, it ends now. This cannot be undone.</p>
    ),
  });
}
