/** A lower-case host name of at least two labels (RFC 1123). The last one has a letter, unlike that of an address. */
export const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is served below a page, at the same paths below its own domain. */
const BELOW = /^\/(?:history|subscriptions|feed\.atom|maintenance\.ics|incidents\/[^/]+|api\/v2\/[a-z0-9/.-]+)$/;
const BADGE = /^\/badges(\/[^/]+\/[a-z-]+\.svg)$/;
/** The files that pages load. */
const FILES = /^\/status\/_\/[0-9a-f]+\/[a-z][\w.-]*$/i;
/** `_` is not a slug, so it is reported as a page that does not exist. */
const NOWHERE = '/status/_';

/** Returns the path at which the service has what a page serves at `path` of its own domain. All else is not found. */
export function pathOnService(slug: string, path: string): string {
  const page = `/status/${slug}`;
  if (path === '/') return page;
  if (path === '/status.json') return `${page}.json`;
  if (BELOW.test(path)) return page + path;
  const [, badge] = BADGE.exec(path) ?? [];
  if (badge !== undefined) return `/badges/${slug}${badge}`;
  return FILES.test(path) ? path : NOWHERE;
}
