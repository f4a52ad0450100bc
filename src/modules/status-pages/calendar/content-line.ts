/** Maximum number of octets in a line without its line break: RFC 5545, 3.1. */
const MAX_OCTETS = 75;

/**
 * Returns a content line (RFC 5545, 3.1) with its line break, folded between characters so that no line is longer than
 * 75 octets.
 */
export function contentLine(name: string, value: string): string {
  let [text, octets] = ['', 0];
  for (const character of `${name}:${value}`) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return `${text}\r\n`;
}

/** Returns a text as a value (RFC 5545, 3.3.11), without control characters and unpaired surrogates. */
export function textValue(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Surrogate}]|[^\P{Control}\n\t]/gu, '')
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');
}

/** Returns a time (RFC 3339, UTC) as a value (RFC 5545, 3.3.5), truncated to the second. */
export function timeValue(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}
