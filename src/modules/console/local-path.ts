/** Any origin will do, because it only serves to detect addresses that leave it. */
const HERE = 'http://here.invalid';

/**
 * Returns the requested path with its query if it belongs to this origin, otherwise `/`. Paths that browsers interpret
 * as another host (`//host`, `/\\host`, also with whitespace or control characters in between) are rejected.
 */
export function localPath(wanted: string): string {
  if (!wanted.startsWith('/') || !URL.canParse(wanted, HERE)) return '/';
  const url = new URL(wanted, HERE);
  return url.origin === HERE && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
