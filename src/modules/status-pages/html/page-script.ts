import { createHash } from 'node:crypto';

/** The one script of the public pages, which need none: each time tells on hover what it is where the reader is. */
export const PAGE_SCRIPT = `'use strict';
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  const here = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  time.title += '\\n' + here + ' (your time)';
}
`;

/** Changes with the script, so that caches may keep it for good. */
export const PAGE_SCRIPT_VERSION = createHash('sha256').update(PAGE_SCRIPT).digest('hex').slice(0, 12);
