import { describe, expect, it } from '@jest/globals';
import { hostOf, maskedAddress, webhookAddressProblem } from './webhook-address.js';

const refusesHost = (host: string): boolean => host === '10.0.0.1';

describe('webhookAddressProblem', () => {
  it.each([
    ['https://example.com/hook?a=b', null],
    ['http://example.com:80/', null],
    ['https://example.com:443/', null],
    ['https://example.com:1024/', null],
    ['https://example.com:1023/', 'must use port 80, 443, or any port from 1024 up'],
    ['http://example.com:25/', 'must use port 80, 443, or any port from 1024 up'],
    ['ftp://example.com/', 'must be an absolute http or https URL'],
    ['example.com', 'must be an absolute http or https URL'],
    ['https://a:b@example.com/', 'must not contain a username or password'],
    ['https://10.0.0.1/', 'must be reachable from the internet'],
    ['https://167772161/', 'must be reachable from the internet'],
    [`https://example.com/${'x'.repeat(2_028)}`, null],
    [`https://example.com/${'x'.repeat(2_029)}`, 'must have at most 2048 characters'],
  ])('judges %s: %s', (url, problem) => {
    expect(webhookAddressProblem(url, refusesHost)).toBe(problem);
  });
});

describe('hostOf', () => {
  it.each([
    ['https://Example.com:8443/a', 'example.com'],
    ['https://example.com./a', 'example.com'],
  ])('returns the host of %s', (url, host) => {
    expect(hostOf(url)).toBe(host);
  });
});

describe('maskedAddress', () => {
  it.each([
    ['https://example.com/secret?token=1#x', 'https://example.com/********'],
    ['http://example.com:8080', 'http://example.com:8080/********'],
  ])('masks %s', (url, masked) => {
    expect(maskedAddress(url)).toBe(masked);
  });
});
