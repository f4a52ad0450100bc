import { readFileSync } from 'node:fs';

/** What checks call themselves: `Daywatch/<version> (+uptime monitoring)`. */
export const USER_AGENT = `Daywatch/${ownVersion()} (+uptime monitoring)`;

/** From the nearest package.json above: how far up it is depends on where the compiler put this file. */
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
