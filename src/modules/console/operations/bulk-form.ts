import { statusWord } from '../../../html/status-words.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type ListMonitorsQuery } from '../../monitors/dto/list-monitors.query.js';
import { pauseBody } from '../monitors/pause-form.js';
import { isFiltered, listPath, monitorQuery, NOTIFIED_WORDS, tagsIn } from '../monitors/list-query.js';
import { typeWord } from '../monitors/shown-monitor.js';

/** The form of the list whose fields are the selected monitors, in the table and below it. */
export const BULK_FORM_ID = 'bulk';

/** Returns the body of the API's bulk request for the selection and the pressed button of the list. Throws 400. */
export function bulkBody(form: FormFields): Record<string, unknown> {
  const action = form.text('action');
  const tags = tagsIn(form.text('tags'))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    action,
    select: form.has('all') ? selectAll(shownQuery(form)) : { ids: form.texts('id') },
    ...(action === 'pause' && pauseBody(form)),
    ...((action === 'addTags' || action === 'removeTags') && { tags }),
  };
}

/** Returns the selection of everything that the list shows with a query. */
function selectAll(query: ListMonitorsQuery): Record<string, unknown> {
  if (!isFiltered(query)) return { all: true };
  const { q, status, type, tag, notified } = query;
  return { filter: { q, status, type, ...(tag?.length && { tag }), notified } };
}

/** Returns the address of the list to which a form returns, with the operation that it has started. */
export function returnPath(form: FormFields, operationId?: string): string {
  const path = listPath(shownQuery(form));
  return operationId === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}operation=${operationId}`;
}

/** Returns the filters of a query with their names, for people. */
export function filterWords({ q, status, tag, type, notified }: ListMonitorsQuery): [name: string, words: string][] {
  const words: [string, string | undefined][] = [
    ['Search', q],
    ['State', status?.map(statusWord).join(', ')],
    ['Tag', tag?.join(' + ')],
    ['Type', type === undefined ? undefined : typeWord(type)],
    ['Notified', notified === undefined ? undefined : NOTIFIED_WORDS[`${notified}`]],
  ];
  return words.flatMap(([name, text]) => (text ? [[name, text]] : []));
}

/** Returns the query of the list from which a form was sent, such as `status=down&tag=production`. Throws 400. */
export function shownQuery(form: FormFields): ListMonitorsQuery {
  const sent = new URLSearchParams(form.text('query'));
  return monitorQuery(Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)])));
}
