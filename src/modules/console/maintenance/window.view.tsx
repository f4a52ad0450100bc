import { includesRole } from '../../../domain/role.js';
import { type ClosedSpan } from '../../../domain/span.js';
import { duration } from '../../../html/time-text.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { State } from '../html/state.js';
import { Table } from '../html/table.js';
import { RelativeTime, Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { Occurrence, TagLinks } from './occurrence.js';
import { recurrenceWords } from './recurrence-form.js';
import { Controls, WindowTools } from './window-controls.js';
import { extendedSeconds } from './window-form.js';
import { lengthWords, momentWords, nextOccurrences, presentEnd, windowMark } from './window-words.js';
import { MAINTENANCE_PATH, MAINTENANCE_STYLES } from './windows.view.js';

export interface WindowProps {
  window: MaintenanceWindowDto;
  monitors: readonly NamedMonitor[];
  /** The latest occurrences, newest first, including the current one. */
  latest: readonly ClosedSpan[];
  /** The form that starts the window manually. */
  start: FormState;
}

const DONE: Readonly<Record<string, string>> = {
  planned: 'Maintenance scheduled.',
  changed: 'Maintenance window saved.',
  started: 'Maintenance started.',
  extended: 'Maintenance extended.',
  ended: 'Maintenance ended. Later occurrences are not affected.',
};

const TRAIL = [{ label: 'Maintenance', href: MAINTENANCE_PATH }];

/** Maximum number of occurrences that the page lists. */
const MAX_NEXT = 5;

/** Renders the page of a maintenance window: its state, the actions on it, its schedule and its history. */
export function renderWindow(frame: PageFrame, props: WindowProps): string {
  const { window, start } = props;
  const path = `${MAINTENANCE_PATH}/${window.id}`;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: window.name,
    section: 'Maintenance',
    trail: TRAIL,
    styles: MAINTENANCE_STYLES,
    tools: mayWrite && <WindowTools path={path} />,
    done: DONE[frame.done],
    form: start,
    children: (
      <>
        {window.description !== null && (
          <p class="prose lines" dir="auto">
            {window.description}
          </p>
        )}
        <Standing {...props} frame={frame} path={path} mayWrite={mayWrite} />
        <Facts {...props} />
        <Next window={window} nowMs={frame.nowMs} />
        <Past {...props} nowMs={frame.nowMs} />
        <WithCurl id="window-curl" command={curlOf(frame, window, mayWrite)} />
      </>
    ),
  });
}

function Standing(props: WindowProps & { frame: PageFrame; path: string; mayWrite: boolean }) {
  const { window, frame, path, start, mayWrite } = props;
  const { activeUntil } = window;
  const { mark, word } = windowMark(window);
  return (
    <div class={`standing window-standing ${mark}`}>
      <div>
        <p class="window-state">
          <State mark={mark} word={word} />
        </p>
        <p>
          {activeUntil === null ? (
            idleWords(window)
          ) : (
            <Ends window={window} activeUntil={activeUntil} nowMs={frame.nowMs} />
          )}
        </p>
      </div>
      {mayWrite && <Controls frame={frame} window={window} start={start} path={path} />}
    </div>
  );
}

function Ends({ window, activeUntil, nowMs }: { window: MaintenanceWindowDto; activeUntil: string; nowMs: number }) {
  const began = presentEnd(window, nowMs) === null ? 'Started manually.' : 'Started as scheduled.';
  return (
    <>
      {began} Ends <RelativeTime at={activeUntil} nowMs={nowMs} />, at <Time at={activeUntil} />{' '}
      <span class="quiet">({momentWords(Date.parse(activeUntil), window.timezone)})</span>.
    </>
  );
}

function idleWords({ startsAt, nextStartsAt }: MaintenanceWindowDto): string {
  if (startsAt === null) return 'No schedule. Start the window when you begin work.';
  return nextStartsAt === null ? 'The schedule has ended.' : 'Starts as scheduled below.';
}

function Facts({ window, monitors }: WindowProps) {
  return (
    <dl class="facts card">
      <dt>Schedule</dt>
      <dd>
        <ScheduleText window={window} />
      </dd>
      <dt>Affected monitors</dt>
      <dd>
        <MonitorLinks monitors={monitors} none={window.tags.length > 0 ? 'Selected by tag' : 'None'} />
      </dd>
      {window.tags.length > 0 && (
        <>
          <dt>Tags</dt>
          <dd class="tags">
            <span>Every monitor tagged</span>
            <TagLinks tags={window.tags} />
          </dd>
        </>
      )}
      <dt>Status pages</dt>
      <dd>{window.public ? 'Shown' : 'Not shown'}</dd>
    </dl>
  );
}

function ScheduleText({ window }: Pick<WindowProps, 'window'>) {
  const { startsAt, endsAt, rrule, timezone } = window;
  if (startsAt === null || endsAt === null) return <>Manual only</>;
  if (rrule !== null) return <>{`For ${lengthWords(window)} ${recurrenceWords(rrule)}, ${timezone} time`}</>;
  return <Occurrence span={{ from: Date.parse(startsAt), to: Date.parse(endsAt) }} timezone={timezone} />;
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
        <Table
          caption="Next occurrences"
          columns={['When', 'Duration']}
          rows={next.map((span) => ({
            key: String(span.from),
            cells: [<Occurrence span={span} timezone={window.timezone} />, lengthWords(window)],
          }))}
        />
      )}
    </section>
  );
}

function Past({ window, latest, nowMs }: WindowProps & { nowMs: number }) {
  const past = latest.filter(({ to }) => to <= nowMs);
  return (
    <section aria-labelledby="past">
      <h2 id="past">History</h2>
      {past.length === 0 ? (
        <p class="quiet">No past occurrences.</p>
      ) : (
        <Table
          caption="History"
          columns={['When', 'Duration']}
          rows={past.map((span) => ({
            key: String(span.from),
            cells: [<Occurrence span={span} timezone={window.timezone} />, duration(span.to - span.from)],
          }))}
        />
      )}
    </section>
  );
}

/** Returns the commands for the actions on the page, or the one that reads the window. */
function curlOf(frame: PageFrame, window: MaintenanceWindowDto, mayWrite: boolean): string {
  const api = `${frame.origin}/v1/maintenance-windows/${window.id}`;
  if (!mayWrite) return curlLine('GET', api);
  const durationSeconds = extendedSeconds(window, 15, frame.nowMs);
  const start = curlLine('POST', `${api}/start`, { body: { durationSeconds } });
  if (!window.active) return start;
  return `# End now\n${curlLine('POST', `${api}/end`)}\n\n# Extend by 15 minutes\n${start}`;
}

/** Whether its deletion cancels maintenance that subscribers may have been told of. */
function isAnnounced(frame: PageFrame, window: MaintenanceWindowDto): boolean {
  const { active, startsAt, notifySubscribers } = window;
  return window.public && notifySubscribers && !active && startsAt !== null && Date.parse(startsAt) > frame.nowMs;
}

export function renderDeleteWindow(frame: PageFrame, window: MaintenanceWindowDto, form?: FormState): string {
  const path = `${MAINTENANCE_PATH}/${window.id}`;
  return renderConfirm(frame, {
    title: `Delete ${window.name}?`,
    section: 'Maintenance',
    trail: [...TRAIL, { label: window.name, href: path }],
    action: `${path}/delete`,
    button: 'Delete window',
    back: path,
    form,
    curl: curlLine('DELETE', `${frame.origin}/v1/maintenance-windows/${window.id}`),
    children: (
      <>
        <p>Past maintenance stays in the history. If the window is active, it ends now. This cannot be undone.</p>
        {isAnnounced(frame, window) && (
          <p>Subscribers who received its announcement are notified that it is cancelled.</p>
        )}
      </>
    ),
  });
}
