import { ListMonitorsQuery, type MonitorSort } from '../../monitors/dto/list-monitors.query.js';
import { listQuery, withQuery } from '../list-query.js';

/** Rows of a page, each of which has 90 days drawn. */
export const PAGE_SIZE = 25;

/** What the form of the list sends; everything else in the address is of no concern to it. */
const FILTERS = ['status', 'type', 'tag', 'q', 'sort'] as const;

export const SORT_WORDS: Readonly<Record<MonitorSort, string>> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-statusSince': 'State changed last first',
  statusSince: 'State changed first first',
};

/** The query of the API that an address of the list stands for; tags are sent in one field, separated by commas. @throws 400 */
export function monitorQuery(sent: Record<string, unknown>): ListMonitorsQuery {
  const tag = [sent.tag].flat().flatMap((tags) => (typeof tags === 'string' ? tags.split(',') : []));
  const query = listQuery(ListMonitorsQuery, { ...sent, tag }, [...FILTERS, 'cursor']);
  return Object.assign(query, { limit: PAGE_SIZE });
}

/** The address of the list with these filters; `cursor`: of a further page. */
export function listPath(query: Partial<ListMonitorsQuery>, cursor?: string | null): string {
  return withQuery('/', { ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), cursor });
}

/** Whether some monitors may be left out. */
export function isFiltered({ status, type, tag, q }: ListMonitorsQuery): boolean {
  return Boolean(status?.length || type !== undefined || tag?.length || q !== undefined);
}
