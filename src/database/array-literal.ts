/**
 * Columns of a batch as PostgreSQL array literals. The driver's own conversion judges each value by its type and costs
 * several times as much, which is felt where thousands of rows a second are written.
 */
const MUST_BE_QUOTED = /[{}",\\\s]|^null$|^$/i;

/** Of numbers, for any numeric type. */
export function numbers(values: readonly (number | null)[]): string {
  let text = '';
  for (const value of values) text += value === null ? ',NULL' : `,${value}`;
  return `{${text.slice(1)}}`;
}

/** Of times in epoch milliseconds, for `timestamptz`. */
export function times(values: readonly (number | null)[]): string {
  let text = '';
  for (const value of values) text += value === null ? ',NULL' : `,${new Date(value).toISOString()}`;
  return `{${text.slice(1)}}`;
}

/** Of any text: names, ids, JSON. */
export function texts(values: readonly (string | null)[]): string {
  let text = '';
  for (const value of values)
    text += value === null ? ',NULL' : `,${MUST_BE_QUOTED.test(value) ? quoted(value) : value}`;
  return `{${text.slice(1)}}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
