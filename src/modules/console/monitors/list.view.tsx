import { includesRole } from '../../../domain/role.js';
import { HatchPattern } from '../../../html/day-history.js';
import { type ListMonitorsQuery } from '../../monitors/dto/list-monitors.query.js';
import { type TagCount } from '../../monitors/monitors.service.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { type OperationDto } from '../../operations/dto/operation.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { BulkBar } from '../operations/bulk-bar.js';
import { progressWords } from '../operations/operation-words.js';
import { summaryOf } from '../overview/summary.js';
import { type PageFrame } from '../page-frame.js';
import { FILTERS_SCRIPT, LIVE_SCRIPT, SELECTION_SCRIPT, MONITOR_STYLES } from './assets.js';
import { FirstMonitor } from './first-monitor.js';
import { ListFilters } from './list-filters.js';
import { apiPath, isFiltered, listPath, PAGE_SIZE } from './list-query.js';
import { type ListedMonitor, MonitorRows } from './list-rows.js';
import { LiveStatus } from './live-status.js';

export interface MonitorListProps {
  query: ListMonitorsQuery;
  monitors: readonly ListedMonitor[];
  nextCursor: string | null;
  counts: MonitorCounts;
  /** The counts of the monitors that match all filters but the state. */
  offered: MonitorCounts;
  tags: readonly TagCount[];
  /** The number of monitors that match the query, over all pages. */
  total: number;
  /** The position of the page's first monitor, from 1. */
  from: number;
  /** The operation on selected monitors that has just been started. */
  operation: OperationDto | null;
}

const DONE: Readonly<Record<string, string>> = { deleted: 'Monitor deleted.' };

export function renderMonitorList(frame: PageFrame, props: MonitorListProps): string {
  const { query, monitors, counts, offered, tags, total, operation } = props;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const isEmptyTeam = counts.size === 0;
  return page(frame, {
    title: 'Monitors',
    section: 'Monitors',
    mark: summaryOf(counts).mark,
    done: operation === null ? DONE[frame.done] : <OperationMessage operation={operation} />,
    styles: MONITOR_STYLES,
    scripts: [LIVE_SCRIPT, FILTERS_SCRIPT, SELECTION_SCRIPT],
    action: mayWrite
      ? { label: isEmptyTeam ? 'Create your first monitor' : 'New monitor', href: '/monitors/new' }
      : undefined,
    tools: !isEmptyTeam && (
      <LiveStatus
        frame={frame}
        ids={monitors.map(({ monitor }) => monitor.id)}
        isFirstPage={!query.cursor}
        also="counts"
      />
    ),
    children: isEmptyTeam ? (
      <FirstMonitor frame={frame} mayWrite={mayWrite} />
    ) : (
      <>
        <HatchPattern />
        <ListFilters query={query} counts={offered} tags={tags} />
        <div class="results" data-swap="results">
          {monitors.length === 0 ? (
            <Empty>
              {isFiltered(query) ? 'No monitors match these filters. ' : 'No more monitors. '}
              <a href={listPath({})}>Show all monitors</a>
            </Empty>
          ) : (
            <MonitorRows frame={frame} monitors={monitors} mayWrite={mayWrite} />
          )}
          <Pages {...props} />
          {mayWrite && monitors.length > 0 && (
            <BulkBar frame={frame} query={query} total={total} hasMore={total > monitors.length} />
          )}
          <WithCurl id="list-curl" command={curlLine('GET', frame.origin + apiPath(query))} />
        </div>
      </>
    ),
  });
}

function OperationMessage({ operation }: { operation: OperationDto }) {
  const { id, status, failed } = operation;
  return (
    <>
      {progressWords(operation)}{' '}
      {(status !== 'finished' || failed > 0) && <a href={`/operations/${id}`}>Show details</a>}
    </>
  );
}

/** The position of the page in the list, and links to the other pages. */
function Pages({ query, monitors, nextCursor, total, from }: MonitorListProps) {
  const to = from + monitors.length - 1;
  const shown = monitors.length === 0 ? '0' : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`;
  return (
    <nav class="pages" aria-label="Pagination">
      <span class="quiet">
        {shown} of {Math.max(total, to).toLocaleString('en')}
      </span>
      <span class="buttons">
        {query.cursor !== undefined && (
          <a class="button plain small" href={listPath(query)}>
            First page
          </a>
        )}
        {nextCursor !== null && (
          <a class="button plain small" href={listPath(query, nextCursor, from + PAGE_SIZE)} rel="next">
            Next page
          </a>
        )}
      </span>
    </nav>
  );
}
