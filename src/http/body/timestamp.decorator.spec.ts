import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { IsTimestamp } from './timestamp.decorator.js';

class Event {
  @IsTimestamp()
  at: unknown;
}

const accepts = (at: unknown): boolean => validateSync(Object.assign(new Event(), { at })).length === 0;

describe('IsTimestamp', () => {
  it.each(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.123Z', '2028-02-29T23:59:59+02:00', '1900-01-01T00:00:00Z'])(
    'accepts %s',
    (at) => expect(accepts(at)).toBe(true),
  );

  it.each([
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-W01-1T00:00:00Z',
    '2030-001T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '+12030-01-01T00:00:00Z',
    '2030-01-01 00:00:00Z',
    'now',
    '',
    1893456000000,
    null,
  ])('rejects %p', (at) => expect(accepts(at)).toBe(false));
});
