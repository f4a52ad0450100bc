import { describe, expect, it } from '@jest/globals';
import { localField, momentOf } from './moments.js';

describe('momentOf', () => {
  const SECOND_HOUR = '2026-10-25T01:30:15.250Z';

  it.each([
    ['nothing', '', 'Europe/Berlin', null, null],
    ['a local time', '2026-07-10T12:00', 'Europe/Berlin', null, '2026-07-10T10:00:00.000Z'],
    ['one that is left out in spring', '2026-03-29T02:30', 'Europe/Berlin', null, '2026-03-29T01:30:00.000Z'],
    ['one that comes twice', '2026-10-25T02:30', 'Europe/Berlin', null, '2026-10-25T00:30:00.000Z'],
    ['an untouched one, with what it does not show', '2026-10-25T02:30', 'Europe/Berlin', SECOND_HOUR, SECOND_HOUR],
    ['a changed one', '2026-10-25T02:31', 'Europe/Berlin', SECOND_HOUR, '2026-10-25T00:31:00.000Z'],
    ['an untouched one in another zone', '2026-10-25T02:30', 'UTC', SECOND_HOUR, '2026-10-25T02:30:00.000Z'],
    ['one in a zone that there is not', '2026-10-25T02:30', 'Atlantis', null, '2026-10-25T02:30:00.000Z'],
    ['none at all', 'tomorrow', 'UTC', null, 'tomorrow'],
  ])('%s', (_name, field, timezone, stored, moment) => {
    expect(momentOf(field, timezone, stored)).toBe(moment);
  });

  it('leaves what a page shows as it is', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe']) {
      expect(momentOf(localField(SECOND_HOUR, zone), zone, SECOND_HOUR)).toBe(SECOND_HOUR);
    }
  });
});
