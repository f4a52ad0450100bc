import { describe, expect, it } from '@jest/globals';
import { networkInterfaces } from 'node:os';
import { OwnHosts } from './own-hosts.js';

const hosts = new OwnHosts(['status.example', 'Daywatch:3000', '::1']);

describe('OwnHosts', () => {
  it.each([
    ['status.example', true, true],
    ['STATUS.example.:443', true, true],
    ['daywatch', true, true],
    ['localhost:3000', true, true],
    ['127.0.0.9', true, true],
    ['[::1]:3000', true, true],
    // No foreign name is involved, but links do not use it either.
    ['192.0.2.7:80', true, false],
    ['[2001:db8::7]', true, false],
    ['evil.example', false, false],
    ['status.example.evil.example', false, false],
    ['xstatus.example', false, false],
    ['localhost.evil.example', false, false],
    ['127.0.0.1.evil.example', false, false],
    ['', false, false],
  ])('admits %j: %j, and links to it: %j', (host, admitted, linked) => {
    expect([hosts.admit(host), hosts.includes(host)]).toEqual([admitted, linked]);
  });

  it.each([
    ['status.example', 'https://status.example'],
    ['localhost:3000', 'https://localhost:3000'],
    ['192.0.2.7', null],
    ['localhost:99999', null],
    [undefined, null],
  ])('returns as the origin of a request to %j: %j', (host, origin) => {
    expect(hosts.originOf({ protocol: 'https', host })).toBe(origin);
  });

  it('includes the addresses of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const { address, family } of own) {
      expect(hosts.includes(family === 'IPv6' ? `[${address}]` : address)).toBe(true);
    }
  });

  it('admits any host with *, and requests without a host, as in HTTP/1.0', () => {
    const any = new OwnHosts(['*']);
    expect([any.admit('any.example'), any.includes('any.example'), any.names('any.example')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(hosts.admit(undefined)).toBe(true);
  });
});
