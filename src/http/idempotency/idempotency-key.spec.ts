import { describe, expect, it } from '@jest/globals';
import { type FingerprintedRequest, fingerprintOf, readIdempotencyKey } from './idempotency-key.js';

describe('readIdempotencyKey', () => {
  it.each<[string, string[] | undefined, string | null]>([
    ['no header', undefined, null],
    ['one character', ['x'], 'x'],
    ['255 characters', ['x'.repeat(255)], 'x'.repeat(255)],
    ['the ends of visible ASCII', ['!~'], '!~'],
    ['a space within', ['a b'], 'a b'],
    ['quotes, as they are', ['"a-b"'], '"a-b"'],
  ])('takes %s', (_, values, key) => {
    expect(readIdempotencyKey(values)).toBe(key);
  });

  it.each<[string, string[]]>([
    ['nothing in it', ['']],
    ['256 characters', ['x'.repeat(256)]],
    ['Latin-1', ['schlüssel']],
    ['a tab', ['a\tb']],
    ['DEL', ['a\x7f']],
    ['two values, even equal ones', ['a', 'a']],
  ])('refuses %s', (_, values) => {
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
    ['absence of a query', { originalUrl: '/v1/things' }],
    ['value in the body', { body: { a: [2], b: 'x' } }],
    ['type in the body', { body: { a: ['1'], b: 'x' } }],
    ['empty body', { body: {} }],
    ['body of null', { body: null }],
    ['absence of a body', { body: undefined }],
  ])('tells another %s apart', (_, change) => {
    expect(hex({ ...first, ...change })).not.toBe(hex(first));
  });

  it('is the same for the same request of another API key, and says nothing without the secret', () => {
    expect(hex(structuredClone(first), 'key-2')).toBe(hex(first, 'key-1'));
    expect(hex(first, 'key-1', Buffer.alloc(32, 8))).not.toBe(hex(first));
    expect(hex({ ...first, body: undefined })).not.toBe(hex({ ...first, body: null }));
  });

  it.each(['/v1/api-keys/self/rotate', '/v1/api-keys/SELF/rotate', '/v1/api-keys/Self'])(
    'tells API keys apart where %s names another resource for each',
    (originalUrl) => {
      expect(hex({ method: 'POST', originalUrl }, 'key-1')).not.toBe(hex({ method: 'POST', originalUrl }, 'key-2'));
    },
  );

  it('takes no other step for self, nor a query', () => {
    for (const originalUrl of ['/v1/monitors/key:self/pause', '/v1/itself', '/v1/things?of=/self/']) {
      expect(hex({ method: 'POST', originalUrl }, 'key-1')).toBe(hex({ method: 'POST', originalUrl }, 'key-2'));
    }
  });
});
