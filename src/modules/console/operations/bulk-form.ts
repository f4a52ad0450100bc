import { type FormFields } from '../../../http/body/form-fields.js';
import { pauseBody } from '../monitors/pause-form.js';
import { isFiltered, listPath, monitorQuery } from '../monitors/list-query.js';

/** The form of the list whose fields are the selected monitors, in the table and below it. */
export const BULK_FORM_ID = 'bulk';

/** Returns the body of the API's bulk request for the selection and the pressed button of the list. Throws 400. */
export function bulkBody(form: FormFields): Record<string, unknown> {
  const action = form.text('action');
  const tags = form
    .text('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    action,
    select: form.has('all') ? selectAll(form.text('query')) : { ids: form.texts('id') },
    ...(action === 'pause' && pauseBody(form)),
    ...((action === 'addTags' || action === 'removeTags') && { tags }),
  };
}

/** Returns the selection of everything that the list shows with a query, such as `status=down&tag=production`. */
function selectAll(text: string): Record<string, unknown> {
  const query = queryOf(text);
  if (!isFiltered(query)) return { all: true };
  const { q, status, type, tag, notified } = query;
  return { filter: { q, status, type, ...(tag?.length && { tag }), notified } };
}

/** Returns the address of the list to which a form returns, with the operation that it has started. */
export function returnPath(form: FormFields, operationId?: string): string {
  const path = listPath(queryOf(form.text('query')));
  return operationId === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}operation=${operationId}`;
}

function queryOf(text: string) {
  const sent = new URLSearchParams(text);
  return monitorQuery(Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)])));
}
