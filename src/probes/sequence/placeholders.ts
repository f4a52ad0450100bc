/** Where a value of an earlier response is inserted, such as `{{token}}`. */
const PLACEHOLDER = /\{\{([a-z]\w{0,49})\}\}/gi;

/** Values by their names. */
export type Values = ReadonlyMap<string, string>;

/** Returns the names that a text refers to. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Returns a text with its values, each encoded for its place. */
export function filled(text: string, values: Values, encode: (value: string) => string = (value) => value): string {
  return text.replace(PLACEHOLDER, (_, name: string) => encode(values.get(name) ?? ''));
}

/** Returns a URL with its values. Placeholders can stand only after the host, where the URL parser has left them as they were. */
export function filledUrl(url: string, values: Values): string {
  return filled(url, values, encodeURIComponent);
}

/** Returns a body with its values, encoded as its media type demands. */
export function filledBody(body: string, mediaType: string, values: Values): string {
  if (/\bjson\b/i.test(mediaType)) return filled(body, values, (value) => JSON.stringify(value).slice(1, -1));
  if (/x-www-form-urlencoded/i.test(mediaType)) return filled(body, values, encodeURIComponent);
  return filled(body, values);
}
