import { describe, expect, it } from '@jest/globals';
import { localField, momentOf } from './moments.js';

describe('momentOf', () => {
  const SECOND_HOUR = '2026-10-25T01:30:15.250Z';

  it.each([
    ['an empty field', '', 'Europe/Berlin', null, null],
    ['a local time', '2026-07-10T12:00', 'Europe/Berlin', null, '2026-07-10T10:00:00.000Z'],
    ['a local time that is skipped in spring', '2026-03-29T02:30', 'Europe/Berlin', null, '2026-03-29T01:30:00.000Z'],
    [
      'a local time that occurs twice, as the first one',
      '2026-10-25T02:30',
      'Europe/Berlin',
      null,
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'an unchanged field, with the seconds that it does not show',
      '2026-10-25T02:30',
      'Europe/Berlin',
      SECOND_HOUR,
      SECOND_HOUR,
    ],
    ['a changed field', '2026-10-25T02:31', 'Europe/Berlin', SECOND_HOUR, '2026-10-25T00:31:00.000Z'],
    ['an unchanged field in another zone', '2026-10-25T02:30', 'UTC', SECOND_HOUR, '2026-10-25T02:30:00.000Z'],
    ['a local time in an unknown zone, as UTC', '2026-10-25T02:30', 'Atlantis', null, '2026-10-25T02:30:00.000Z'],
    ['an invalid text, unchanged', 'tomorrow', 'UTC', null, 'tomorrow'],
  ])('converts %s', (_name, field, timezone, stored, moment) => {
    expect(momentOf(field, timezone, stored)).toBe(moment);
  });

  it('returns the stored moment for the field that shows it', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe']) {
      expect(momentOf(localField(SECOND_HOUR, zone), zone, SECOND_HOUR)).toBe(SECOND_HOUR);
    }
  });
});
