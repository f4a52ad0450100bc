import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkId, parseCheckId } from './check-id.js';

describe('checkId', () => {
  it('stands for its key and nothing else', () => {
    const parts = fc.record({
      scheduledAt: fc.integer({ min: 0, max: 32_503_680_000_000 }),
      attempt: fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }),
      location: fc.stringMatching(/^[a-z-]{1,50}$/),
    });
    fc.assert(fc.property(parts, (key) => expect(parseCheckId(checkId(key))).toEqual(key)));
  });

  it('takes no other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseCheckId(text);
        if (parsed !== null) expect(checkId(parsed)).toBe(text);
      }),
    );
  });

  it.each(['', 'undefined', '..', Buffer.from('zzzzzzzzzzzz.0.default').toString('base64url')])(
    'refuses %p',
    (text) => {
      expect(parseCheckId(text)).toBeNull();
    },
  );
});
