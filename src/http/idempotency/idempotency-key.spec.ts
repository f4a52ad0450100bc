import { describe, expect, it } from '@jest/globals';
import { type FingerprintedRequest, fingerprintOf, readIdempotencyKey } from './idempotency-key.js';

describe('readIdempotencyKey', () => {
  it.each<[string, string[] | undefined, string | null]>([
    ['no header', undefined, null],
    ['one character', ['x'], 'x'],
    ['255 characters', ['x'.repeat(255)], 'x'.repeat(255)],
    ['the first and the last visible ASCII character', ['!~'], '!~'],
    ['a space within', ['a b'], 'a b'],
    ['quotes unchanged', ['"a-b"'], '"a-b"'],
  ])('accepts %s', (_, values, key) => {
    expect(readIdempotencyKey(values)).toBe(key);
  });

  it.each<[string, string[]]>([
    ['an empty value', ['']],
    ['256 characters', ['x'.repeat(256)]],
    ['Latin-1', ['schlüssel']],
    ['a tab', ['a\tb']],
    ['DEL', ['a\x7f']],
    ['two values, even equal ones', ['a', 'a']],
  ])('rejects %s', (_, values) => {
    expect(() => readIdempotencyKey(values)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_request' }));
  });
});

describe('fingerprintOf', () => {
  const secret = Buffer.alloc(32, 7);
  const first: FingerprintedRequest = { method: 'POST', originalUrl: '/v1/things?a=1&b=2', body: { a: [1], b: 'x' } };
  const hex = (request: FingerprintedRequest, keyId = 'key-1', by = secret) =>
    fingerprintOf(by, request, keyId).toString('hex');

  it.each<[string, Partial<FingerprintedRequest>]>([
    ['method', { method: 'PUT' }],
    ['path', { originalUrl: '/v1/thing?a=1&b=2' }],
    ['query', { originalUrl: '/v1/things?a=1&b=3' }],
    ['presence of a query', { originalUrl: '/v1/things' }],
    ['values in the body', { body: { a: [2], b: 'x' } }],
    ['types in the body', { body: { a: ['1'], b: 'x' } }],
    ['difference between a body and an empty one', { body: {} }],
    ['difference between a body and null', { body: null }],
    ['presence of a body', { body: undefined }],
  ])('depends on the %s', (_, change) => {
    expect(hex({ ...first, ...change })).not.toBe(hex(first));
  });

  it('is equal for the same request with another API key, and depends on the secret', () => {
    expect(hex(structuredClone(first), 'key-2')).toBe(hex(first, 'key-1'));
    expect(hex(first, 'key-1', Buffer.alloc(32, 8))).not.toBe(hex(first));
    expect(hex({ ...first, body: undefined })).not.toBe(hex({ ...first, body: null }));
  });

  it.each(['/v1/api-keys/self/rotate', '/v1/api-keys/SELF/rotate', '/v1/api-keys/Self'])(
    'differs between API keys for %s, which is another resource for each',
    (originalUrl) => {
      expect(hex({ method: 'POST', originalUrl }, 'key-1')).not.toBe(hex({ method: 'POST', originalUrl }, 'key-2'));
    },
  );

  it('treats only a path segment as self, not part of one, and not the query', () => {
    for (const originalUrl of ['/v1/monitors/key:self/pause', '/v1/itself', '/v1/things?of=/self/']) {
      expect(hex({ method: 'POST', originalUrl }, 'key-1')).toBe(hex({ method: 'POST', originalUrl }, 'key-2'));
    }
  });
});
