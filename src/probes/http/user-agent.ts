import { readFileSync } from 'node:fs';

/** The version of the service. */
export const VERSION = ownVersion();

/** The user agent of checks: `Daywatch/<version> (+uptime monitoring)`. */
export const USER_AGENT = `Daywatch/${VERSION} (+uptime monitoring)`;

/** Returns the version from the nearest package.json above this file, whose depth depends on the compiler's output. */
function ownVersion(): string {
  for (let folder = new URL('./', import.meta.url), above: URL; ; folder = above) {
    try {
      return (JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string }).version;
    } catch {
      above = new URL('../', folder);
      if (above.href === folder.href) return '0';
    }
  }
}
