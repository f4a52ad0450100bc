/** Returns whether a text is the name of a header (a token of RFC 9110, 5.6.2) of at most 200 characters. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9a-z]{1,200}$/i.test(text);
}
