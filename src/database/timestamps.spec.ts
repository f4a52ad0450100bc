import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { types } from 'pg';
import { parseTimestamp } from './timestamps.js';

const driver = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-31 12:34:56+00', '2026-01-31T12:34:56.000Z'],
    ['2026-01-31 12:34:56.7+00', '2026-01-31T12:34:56.700Z'],
    ['2026-01-31 12:34:56.78+00', '2026-01-31T12:34:56.780Z'],
    ['2026-01-31 12:34:56.789+00', '2026-01-31T12:34:56.789Z'],
    ['2026-01-31 12:34:56.789012+00', '2026-01-31T12:34:56.789Z'],
    ['2026-01-31 12:34:56+05:30', '2026-01-31T07:04:56.000Z'],
    ['2026-01-31 12:34:56-01', '2026-01-31T13:34:56.000Z'],
    ['0099-01-31 00:00:00+00', '0099-01-31T00:00:00.000Z'],
    ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseTimestamp(text).toISOString()).toBe(expected);
  });

  it.each(['infinity', '-infinity'])('reads %s like the driver', (text) => {
    expect(parseTimestamp(text)).toEqual(driver(text));
  });

  it('reads every time like the driver', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.constantFrom('', '.4', '.04', '.004', '.123456'), (date, decimals) => {
        const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${decimals}+00`;
        expect(parseTimestamp(text)).toEqual(driver(text));
      }),
    );
  });
});
