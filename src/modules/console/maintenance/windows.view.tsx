import { counted } from '../../../html/counted.js';
import { includesRole } from '../../../domain/role.js';
import { type WindowState } from '../../maintenance/dto/list-maintenance-windows.dto.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { State } from '../html/state.js';
import { RelativeTime } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { recurrenceWords } from './recurrence-form.js';
import { Occurrence, TagLinks } from './occurrence.js';
import { momentWords, nextOccurrences, windowMark } from './window-words.js';

export const MAINTENANCE_PATH = '/maintenance';
/** Files of `src/web` that the pages of this section need. */
export const MAINTENANCE_STYLES = ['maintenance.css'];

/** The windows of one state, or a page of them. */
export interface WindowList {
  state: WindowState;
  windows: readonly MaintenanceWindowDto[];
  nextCursor: string | null;
}

const LISTS: Readonly<Record<WindowState, { heading: string; empty: string }>> = {
  active: { heading: 'Active now', empty: 'No maintenance in progress.' },
  upcoming: {
    heading: 'Upcoming',
    empty: 'Nothing scheduled. Schedule maintenance so that planned work does not count as downtime.',
  },
  over: { heading: 'Past and manual', empty: 'No other windows.' },
};

const DONE: Readonly<Record<string, string>> = {
  deleted: 'Maintenance window deleted. Past maintenance stays in the history.',
};

/** Renders the lists of maintenance windows, one per state. */
export function renderWindows(frame: PageFrame, lists: readonly WindowList[]): string {
  return page(frame, {
    title: 'Maintenance',
    section: 'Maintenance',
    styles: MAINTENANCE_STYLES,
    done: DONE[frame.done],
    action: includesRole(frame.who!.role, 'editor')
      ? { label: 'Schedule maintenance', href: `${MAINTENANCE_PATH}/new` }
      : undefined,
    children: (
      <>
        <p class="lead">
          While a window is active, its monitors show “Maintenance”, and the time counts as neither up nor down. Checks
          continue.
        </p>
        {lists.map((list) => (
          <List key={list.state} frame={frame} list={list} isOnly={lists.length === 1} />
        ))}
        {lists.length === 1 && (
          <p>
            <a href={MAINTENANCE_PATH}>All windows</a>
          </p>
        )}
        <WithCurl id="windows-curl" command={curlLine('GET', `${frame.origin}/v1/maintenance-windows`)} />
      </>
    ),
  });
}

function List({ frame, list, isOnly }: { frame: PageFrame; list: WindowList; isOnly: boolean }) {
  const { state, windows, nextCursor } = list;
  const { heading, empty } = LISTS[state];
  return (
    <section aria-labelledby={`list-${state}`}>
      <h2 id={`list-${state}`}>{heading}</h2>
      {windows.length === 0 ? (
        <Empty>{isOnly ? 'No windows.' : empty}</Empty>
      ) : (
        <div class="windows">
          <Table
            caption={heading}
            columns={['Window', 'State', 'When', 'Affected monitors', 'Repeats']}
            rows={windows.map((window) => ({ key: window.id, cells: cellsOf(window, frame.nowMs) }))}
          />
        </div>
      )}
      {nextCursor !== null && (
        <p>
          <a href={withQuery(MAINTENANCE_PATH, { state, cursor: nextCursor })}>More windows</a>
        </p>
      )}
    </section>
  );
}

function cellsOf(window: MaintenanceWindowDto, nowMs: number) {
  const { id, name, startsAt, rrule } = window;
  const { mark, word } = windowMark(window);
  return [
    <a href={`${MAINTENANCE_PATH}/${id}`} dir="auto">
      {name}
    </a>,
    <State mark={mark} word={word} />,
    <When window={window} nowMs={nowMs} />,
    <Affected window={window} />,
    startsAt === null ? 'Manual only' : capitalised(recurrenceWords(rrule)),
  ];
}

/** The end of an active window, or the next occurrence, in the reader's time zone and in that of the window. */
function When({ window, nowMs }: { window: MaintenanceWindowDto; nowMs: number }) {
  const { activeUntil, timezone } = window;
  if (activeUntil !== null) {
    return (
      <>
        Ends <RelativeTime at={activeUntil} nowMs={nowMs} />
        <span class="quiet window-zone">{momentWords(Date.parse(activeUntil), timezone)}</span>
      </>
    );
  }
  const [next] = nextOccurrences(window, nowMs, 1);
  return next ? <Occurrence span={next} timezone={timezone} /> : <>–</>;
}

function Affected({ window: { monitorIds, tags } }: { window: MaintenanceWindowDto }) {
  return (
    <span class="tags">
      {monitorIds.length > 0 && <span>{counted(monitorIds.length, 'monitor')}</span>}
      <TagLinks tags={tags} />
    </span>
  );
}

function capitalised(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1);
}
