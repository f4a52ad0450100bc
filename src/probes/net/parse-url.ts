/**
 * Parses a URL (WHATWG); returns `null` if the text is invalid. Does not use `URL.canParse`, which in Node 20, once
 * optimised, rejects every text with a Latin-1 letter such as "ü".
 */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
