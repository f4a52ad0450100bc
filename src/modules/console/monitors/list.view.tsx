import { includesRole } from '../../../domain/role.js';
import { HatchPattern } from '../../../html/day-history.js';
import { MARK_WORDS } from '../../../html/marks.js';
import { type ListMonitorsQuery } from '../../monitors/dto/list-monitors.query.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { type PageFrame } from '../page-frame.js';
import { LIVE_SCRIPT, MONITOR_STYLES } from './assets.js';
import { Counts, LIST_TITLE, overall } from './list-counts.js';
import { ListFilters } from './list-filters.js';
import { isFiltered, listPath } from './list-query.js';
import { type ListedMonitor, MonitorRows } from './list-rows.js';
import { LiveStatus } from './live-status.js';

export interface MonitorListProps {
  query: ListMonitorsQuery;
  monitors: readonly ListedMonitor[];
  nextCursor: string | null;
  counts: MonitorCounts;
}

const DONE: Readonly<Record<string, string>> = { deleted: 'Monitor deleted.' };

export function renderMonitorList(frame: PageFrame, props: MonitorListProps): string {
  const { query, monitors, nextCursor, counts } = props;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const isEmptyTeam = counts.size === 0;
  return page(frame, {
    title: LIST_TITLE,
    section: 'Monitors',
    mark: overall(counts),
    done: DONE[frame.done],
    styles: MONITOR_STYLES,
    scripts: [LIVE_SCRIPT],
    action: mayWrite
      ? { label: isEmptyTeam ? 'Create your first monitor' : 'New monitor', href: '/monitors/new' }
      : undefined,
    children: isEmptyTeam ? (
      <FirstMonitor frame={frame} mayWrite={mayWrite} />
    ) : (
      <>
        <HatchPattern />
        <Counts counts={counts} />
        <ListFilters query={query} />
        <LiveStatus
          frame={frame}
          ids={monitors.map(({ monitor }) => monitor.id)}
          isFirstPage={!query.cursor}
          also="counts"
        />
        {monitors.length === 0 ? (
          <Empty>
            {isFiltered(query) ? 'No monitors match these filters. ' : 'No more monitors. '}
            <a href="/">Show all monitors</a>
          </Empty>
        ) : (
          <MonitorRows frame={frame} monitors={monitors} mayWrite={mayWrite} />
        )}
        {(query.cursor !== undefined || nextCursor !== null) && (
          <nav class="links" aria-label="Pagination">
            {query.cursor !== undefined && <a href={listPath(query)}>First page</a>}
            {nextCursor !== null && (
              <a href={listPath(query, nextCursor)} rel="next">
                Next page
              </a>
            )}
          </nav>
        )}
        <WithCurl id="list-curl" command={curlLine('GET', `${frame.origin}/v1/monitors${listPath(query).slice(1)}`)} />
      </>
    ),
  });
}

function FirstMonitor({ frame, mayWrite }: { frame: PageFrame; mayWrite: boolean }) {
  const body = { name: 'Our site', type: 'http', url: 'https://example.com/', intervalSeconds: 60 };
  return (
    <>
      <Empty>
        A monitor checks a URL, a port, a certificate or another target on schedule, stores every result, and tells you
        whether it is {MARK_WORDS.up.toLowerCase()} or {MARK_WORDS.down.toLowerCase()}, and since when.{' '}
        {mayWrite ? 'This team has none yet.' : 'This team has none yet; an editor or owner can create one.'}
      </Empty>
      <LiveStatus frame={frame} ids={[]} isFirstPage awaitsFirst />
      <WithCurl id="first-curl" command={curlLine('POST', `${frame.origin}/v1/monitors`, { body })} />
    </>
  );
}
