/**
 * Characters that change how the text around them is displayed: control characters, line and paragraph separators, and
 * marks that set or override the direction of writing.
 */
// eslint-disable-next-line no-control-regex
const DISRUPTIVE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** Returns the number of UTF-16 units, the unit in which most providers count. */
const units = (text: string): number => text.length;

/** Returns the number of bytes as UTF-8. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text);

/** Returns a text on one line, without characters that would affect what is displayed around it. */
export function oneLine(text: string): string {
  const shown = text.replace(DISRUPTIVE, ' ').replace(/\p{Surrogate}/gu, '\ufffd');
  return shown.replace(/ {2,}/g, ' ').trim();
}

/** Returns `text` if it is not longer than `max`, otherwise its beginning with an ellipsis. Never splits a character. */
export function cut(text: string, max: number, size: (text: string) => number = units, ellipsis = '…'): string {
  if (size(text) <= max) return text;
  const room = max - size(ellipsis);
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += size(character);
    if (used > room) break;
    end += character.length;
  }
  return text.slice(0, end).trimEnd() + ellipsis;
}

/**
 * Joins whole lines while they fit into `max`, and ends with a line with an ellipsis where some do not. Markup survives,
 * provided that each line is complete in itself.
 */
export function fitLines(lines: readonly string[], max: number, size: (text: string) => number = units): string {
  const all = lines.join('\n');
  if (size(all) <= max) return all;
  const room = max - size('\n…');
  let text = '';
  for (const line of lines) {
    const next = text === '' ? line : `${text}\n${line}`;
    if (size(next) > room) break;
    text = next;
  }
  return text === '' ? '…' : `${text}\n…`;
}
