/**
 * The URL that the text means (WHATWG), or `null`. Not by `URL.canParse`: in Node 20, once it is optimised, it says no
 * to every text with a Latin-1 letter such as "ü".
 */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
