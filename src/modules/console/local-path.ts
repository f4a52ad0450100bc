/** Any origin: only whether an address leaves it is asked. */
const HERE = 'http://here.invalid';

/**
 * The path to go on to, with its query, where a request names one of this origin; else `/`. What browsers read as another
 * host (`//host`, `/\\host`, blanks and control characters in between) is none.
 */
export function localPath(wanted: string): string {
  if (!wanted.startsWith('/') || !URL.canParse(wanted, HERE)) return '/';
  const url = new URL(wanted, HERE);
  return url.origin === HERE && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
