import { describe, expect, it } from '@jest/globals';
import { localText, momentOfText } from './wall-clock.js';

describe('momentOfText', () => {
  it.each([
    ['in winter', '2026-01-10T12:00', 'Europe/Berlin', '2026-01-10T11:00:00.000Z'],
    ['in summer', '2026-07-10T12:00', 'Europe/Berlin', '2026-07-10T10:00:00.000Z'],
    ['with seconds', '2026-07-10T12:00:30', 'UTC', '2026-07-10T12:00:30.000Z'],
    ['before clocks are set forward', '2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['that this change skips, moved forward', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['after this change', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['that occurs twice, as the first', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    [
      'in a zone with half an hour of daylight saving',
      '2026-10-04T02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:45:00.000Z',
    ],
    ['on a day that a zone skipped', '2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('converts a time %s', (_name, text, timezone, moment) => {
    expect(new Date(momentOfText(text, timezone)!).toISOString()).toBe(moment);
  });

  it.each([
    ['an empty text', '', 'UTC'],
    ['a date without a time', '2026-01-10', 'UTC'],
    ['a day that does not exist', '2026-02-30T12:00', 'UTC'],
    ['an hour that does not exist', '2026-01-10T24:00', 'UTC'],
    ['a time with an offset', '2026-01-10T12:00Z', 'UTC'],
    ['a time in a zone that does not exist', '2026-01-10T12:00', 'Europe/Atlantis'],
  ])('returns null for %s', (_name, text, timezone) => {
    expect(momentOfText(text, timezone)).toBeNull();
  });
});

describe('localText', () => {
  it.each([
    ['2026-01-10T11:00:59.999Z', 'Europe/Berlin', '2026-01-10T12:00'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30'],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30'],
  ])('formats %s in %s as %s', (moment, timezone, text) => {
    expect(localText(Date.parse(moment), timezone)).toBe(text);
  });
});
