import { expect, it } from '@jest/globals';
import { localText } from '../../src/web/local-text.js';

const NOW = new Date('2026-11-20T23:30:00Z');

it.each([
  ['2026-11-20T22:02:00Z', 'en-GB', 'UTC', '22:02 UTC'],
  ['2026-11-20T22:02:00Z', 'en-GB', 'Europe/Berlin', '20 Nov 2026, 23:02 CET'],
  ['2026-11-20T23:02:00Z', 'en-GB', 'Europe/Berlin', '00:02 CET'],
  ['2026-11-19T23:02:00Z', 'de-DE', 'Europe/Berlin', '20. Nov. 2026, 00:02 MEZ'],
  ['2026-11-20T20:02:00Z', 'en-US', 'America/New_York', '03:02 PM EST'],
])('localText of %s in %s and %s is %s', (at, locale, zone, text) => {
  // Some versions separate the day period with a narrow no-break space.
  expect(localText(new Date(at), NOW, locale, zone).replaceAll('\u202f', ' ')).toBe(text);
});
