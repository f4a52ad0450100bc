const LIST = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*$/;
const TAG = /(W\/)?"([^"]*)"/g;

interface EntityTag {
  weak: boolean;
  text: string;
}

/** The tags of `If-Match` or `If-None-Match`, `*` for any; a header that is neither names no tag. */
function read(header: string): EntityTag[] | '*' {
  if (header.trim() === '*') return '*';
  if (!LIST.test(header)) return [];
  return [...header.matchAll(TAG)].map(([, weak, text]) => ({ weak: weak !== undefined, text: text! }));
}

/** Whether `If-None-Match` names the tag of what would be answered (RFC 9110 section 13.1.2, weak comparison). */
export function namesTag(header: string, etag: string): boolean {
  const tags = read(header);
  return tags === '*' || tags.some(({ text }) => `"${text}"` === etag);
}

/**
 * Whether one of the tags names the revision. What follows the revision is not compared, so that checks never make a
 * writer lose; a weak tag names none. `null`: there is no resource, which nothing names.
 */
export function namesRevision(header: string, revision: number | null): boolean {
  const tags = read(header);
  if (revision === null) return false;
  return (
    tags === '*' ||
    tags.some(({ weak, text }) => !weak && /^\d+\.\d+$/.test(text) && Number.parseInt(text, 10) === revision)
  );
}
