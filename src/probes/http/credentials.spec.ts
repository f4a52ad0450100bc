import { describe, expect, it } from '@jest/globals';
import { isSecretHeader } from './credentials.js';

describe('a header', () => {
  it.each([
    'Authorization',
    'Cookie',
    'X-Api-Key',
    'X-Auth-Token',
    'X-Passphrase',
    'X-Passcode',
    'X-Pwd',
    'X-Pin',
    'X-Access',
    'X-Access-Id',
    'Signature',
    'x-otp',
  ])('is secret if its name suggests a credential: %s', (name) => {
    expect(isSecretHeader(name, [])).toBe(true);
  });

  it.each(['Accept', 'User-Agent', 'X-Request-Id', 'X-Spinner', 'X-Keyboard', 'Accessibility'])(
    'is not secret otherwise: %s',
    (name) => {
      expect(isSecretHeader(name, [])).toBe(false);
    },
  );

  it('is secret if it is marked, in any case', () => {
    expect(isSecretHeader('x-tenant', ['X-Tenant'])).toBe(true);
    expect(isSecretHeader('x-tenants', ['X-Tenant'])).toBe(false);
  });
});
