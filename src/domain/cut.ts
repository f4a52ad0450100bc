/**
 * Returns the first `length` UTF-16 units of a text, without the first half of a surrogate pair at the end, which
 * PostgreSQL does not store.
 */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Like {@link cut}, and on one line: replaces control characters, among which is the one that PostgreSQL does not store. */
export function cutLine(text: string, length: number): string {
  return cut(text.replace(/\p{Cc}/gu, '\uFFFD'), length);
}
