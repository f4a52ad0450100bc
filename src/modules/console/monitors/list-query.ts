import { ListMonitorsQuery, type MonitorSort } from '../../monitors/dto/list-monitors.query.js';
import { listQuery, withQuery } from '../list-query.js';

/** The address of the list. */
export const LIST_PATH = '/monitors';

/** Rows per page. It is small because each row draws 90 days. */
export const PAGE_SIZE = 25;

/** The order of the page without a choice. That of the API is by creation. */
export const DEFAULT_SORT: MonitorSort = 'severity';

/** The parameters that the form of the list sends. Others in the address are ignored. */
const FILTERS = ['status', 'type', 'tag', 'q', 'notified', 'sort'] as const;

export const SORT_WORDS: Readonly<Record<MonitorSort, string>> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-statusSince': 'Recently changed state',
  statusSince: 'Longest in current state',
  severity: 'Worst first',
};

/** By the value of the filter. */
export const NOTIFIED_WORDS = { true: 'Notifies someone', false: 'Notifies nobody' } as const;

/** Returns the API's query for an address of the list, whose form sends tags in one field. Throws 400. */
export function monitorQuery(sent: Record<string, unknown>): ListMonitorsQuery {
  const tag = [sent.tag].flat().flatMap((tags) => (typeof tags === 'string' ? tagsIn(tags) : []));
  const query = listQuery(ListMonitorsQuery, { ...sent, tag }, [...FILTERS, 'cursor']);
  return Object.assign(query, { limit: PAGE_SIZE });
}

/** Returns the tags in a field that separates them by commas; a backslash precedes a comma that belongs to a tag. */
export function tagsIn(field: string): string[] {
  return (field.match(/(\\[\\,]|[^,])+/g) ?? []).map((tag) => tag.replace(/\\([\\,])/g, '$1'));
}

/** Returns a tag as the address of the list and its form contain it. */
export function tagField(tag: string): string {
  return tag.replace(/[\\,]/g, '\\$&');
}

/** Returns the address of the API that lists the same monitors. */
export function apiPath(query: ListMonitorsQuery): string {
  return withQuery('/v1/monitors', parametersOf(query));
}

/** Returns the address of the list with these filters; with `cursor`, of a further page, which starts at `from`. */
export function listPath(query: Partial<ListMonitorsQuery>, cursor?: string | null, from?: number): string {
  const parameters = { ...parametersOf(query), tag: query.tag?.map(tagField) };
  return withQuery(LIST_PATH, { ...parameters, cursor, from: from?.toString() });
}

function parametersOf({ notified, ...query }: Partial<ListMonitorsQuery>) {
  const given = FILTERS.map((name) => [name, name === 'notified' ? notified?.toString() : query[name]] as const);
  return Object.fromEntries(given);
}

/**
 * Returns the position of a page's first monitor in the list, from 1. Addresses have it for display only, so that
 * impossible values are ignored.
 * @param shown the number of monitors on the page
 * @param total the number of monitors in the list
 */
export function positionOf({ cursor, from }: Record<string, unknown>, shown: number, total: number): number {
  const position = typeof cursor === 'string' && typeof from === 'string' && /^\d{1,9}$/.test(from) ? Number(from) : 1;
  return Math.max(1, Math.min(position, total - shown + 1));
}

/** Returns whether the query may exclude monitors. */
export function isFiltered(query: ListMonitorsQuery): boolean {
  return Boolean(query.status?.length) || isNarrowed(query);
}

/** Returns whether the query may exclude monitors for another reason than their state. */
export function isNarrowed({ type, tag, q, notified }: Partial<ListMonitorsQuery>): boolean {
  return Boolean(type !== undefined || tag?.length || q !== undefined || notified !== undefined);
}
