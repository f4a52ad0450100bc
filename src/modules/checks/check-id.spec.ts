import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkId, parseCheckId } from './check-id.js';

describe('checkId', () => {
  it('is parsed back to the key from which it was made', () => {
    const parts = fc.record({
      scheduledAt: fc.integer({ min: 0, max: 32_503_680_000_000 }),
      attempt: fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }),
      location: fc.stringMatching(/^[a-z-]{1,50}$/),
    });
    fc.assert(fc.property(parts, (key) => expect(parseCheckId(checkId(key))).toEqual(key)));
  });

  it('is the only text that is parsed to its key', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseCheckId(text);
        if (parsed !== null) expect(checkId(parsed)).toBe(text);
      }),
    );
  });

  it.each(['', 'undefined', '..', Buffer.from('zzzzzzzzzzzz.0.default').toString('base64url')])(
    'rejects %p',
    (text) => {
      expect(parseCheckId(text)).toBeNull();
    },
  );
});
