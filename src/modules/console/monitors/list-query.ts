import { ListMonitorsQuery, type MonitorSort } from '../../monitors/dto/list-monitors.query.js';
import { listQuery, withQuery } from '../list-query.js';

/** Rows per page. It is small because each row draws 90 days. */
export const PAGE_SIZE = 25;

/** The order of the page without a choice. That of the API is by creation. */
export const DEFAULT_SORT: MonitorSort = 'severity';

/** The parameters that the form of the list sends. Others in the address are ignored. */
const FILTERS = ['status', 'type', 'tag', 'q', 'sort'] as const;

export const SORT_WORDS: Readonly<Record<MonitorSort, string>> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-statusSince': 'Recently changed state',
  statusSince: 'Longest in this state',
  severity: 'Worst first',
};

/**
 * Returns the API's query for an address of the list. The form sends tags in one field, separated by commas. Throws
 * 400.
 */
export function monitorQuery(sent: Record<string, unknown>): ListMonitorsQuery {
  const tag = [sent.tag].flat().flatMap((tags) => (typeof tags === 'string' ? tags.split(',') : []));
  const query = listQuery(ListMonitorsQuery, { ...sent, tag }, [...FILTERS, 'cursor']);
  return Object.assign(query, { limit: PAGE_SIZE });
}

/** Returns the address of the list with these filters; with `cursor`, of a further page. */
export function listPath(query: Partial<ListMonitorsQuery>, cursor?: string | null): string {
  return withQuery('/', { ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), cursor });
}

/** Returns whether the query may exclude monitors. */
export function isFiltered({ status, type, tag, q }: ListMonitorsQuery): boolean {
  return Boolean(status?.length || type !== undefined || tag?.length || q !== undefined);
}
