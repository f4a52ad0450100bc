const LIST = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*$/;
const TAG = /(W\/)?"([^"]*)"/g;

interface EntityTag {
  weak: boolean;
  text: string;
}

/** Parses the tags of `If-Match` or `If-None-Match`; `*` matches any. An invalid header contains no tag. */
function read(header: string): EntityTag[] | '*' {
  if (header.trim() === '*') return '*';
  if (!LIST.test(header)) return [];
  return [...header.matchAll(TAG)].map(([, weak, text]) => ({ weak: weak !== undefined, text: text! }));
}

/** Returns whether `If-None-Match` has the tag of the current response (RFC 9110 section 13.1.2, weak comparison). */
export function namesTag(header: string, etag: string): boolean {
  const tags = read(header);
  return tags === '*' || tags.some(({ text }) => `"${text}"` === etag);
}

/**
 * Returns whether one of the tags has this revision. The rest of a tag is not compared, so that checks never cause a
 * conflict for a writer; weak tags never match. With `null`, for a resource that does not exist, nothing matches.
 */
export function namesRevision(header: string, revision: number | null): boolean {
  const tags = read(header);
  if (revision === null) return false;
  return (
    tags === '*' ||
    tags.some(({ weak, text }) => !weak && /^\d+\.\d+$/.test(text) && Number.parseInt(text, 10) === revision)
  );
}
