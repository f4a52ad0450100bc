import { includesRole } from '../../../domain/role.js';
import { type WindowState } from '../../maintenance/dto/list-maintenance-windows.dto.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { State } from '../html/state.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { recurrenceWords } from './recurrence-form.js';
import { nextOccurrences, spanWords, windowMark } from './window-words.js';

export const MAINTENANCE_PATH = '/maintenance';

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
    empty: 'Nothing scheduled. Schedule maintenance so that planned work does not count as an outage.',
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
    done: DONE[frame.done],
    action: includesRole(frame.who!.role, 'editor')
      ? { label: 'Schedule maintenance', href: `${MAINTENANCE_PATH}/new` }
      : undefined,
    children: (
      <>
        <p class="lead">
          During a window, its monitors show “Maintenance” and the time counts neither as up nor as down. Checks
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
        <Table
          caption={heading}
          columns={['Window', 'State', 'Scope', 'Repeats', 'Next']}
          rows={windows.map((window) => ({ key: window.id, cells: cellsOf(window, frame.nowMs) }))}
        />
      )}
      {nextCursor !== null && (
        <p>
          <a href={withQuery(MAINTENANCE_PATH, { state, cursor: nextCursor })}>Older windows</a>
        </p>
      )}
    </section>
  );
}

function cellsOf(window: MaintenanceWindowDto, nowMs: number) {
  const { id, name, monitorIds, tags, startsAt, rrule, timezone } = window;
  const { mark, word } = windowMark(window);
  const [next] = nextOccurrences(window, nowMs, 1);
  const count = `${monitorIds.length} monitor${monitorIds.length === 1 ? '' : 's'}`;
  const what = [monitorIds.length > 0 && count, tags.length > 0 && `tags ${tags.join(', ')}`];
  return [
    <a href={`${MAINTENANCE_PATH}/${id}`} dir="auto">
      {name}
    </a>,
    <State mark={mark} word={word} />,
    <span dir="auto">{what.filter(Boolean).join(', ')}</span>,
    startsAt === null ? 'when started manually' : recurrenceWords(rrule),
    next ? spanWords(next, timezone) : '–',
  ];
}
