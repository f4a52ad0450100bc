import { describe, expect, it } from '@jest/globals';
import { createAddressPolicy } from './address-policy.js';

const METADATA = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.170.2',
];
const NO_HOSTS = [
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '255.255.255.255',
  '224.0.0.1',
  '239.255.255.250',
  'ff02::1',
  '::ffff:0.0.0.0',
  '100::1',
  '64:ff9b::',
  'not an address',
  '',
];
const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '240.0.0.1',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2001:0:808:808::f5ff:fffe',
  '2001:db8::1',
  '3fff::1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  '2001:4860::5efe:7f00:1',
  '5f00::1',
  '4000::1',
  '2001:2::1',
];
const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '223.255.255.254',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:4860::5efe:808:808',
];

describe('the address policy', () => {
  const closed = createAddressPolicy([]);
  const open = createAddressPolicy(true);

  it.each([...METADATA, ...NO_HOSTS, ...PRIVATE])('refuses %j by default', (address) => {
    expect(closed.allows(address)).toBe(false);
  });

  it.each(PUBLIC)('allows %s', (address) => {
    expect(closed.allows(address)).toBe(true);
    expect(open.allows(address)).toBe(true);
  });

  it.each(PRIVATE)('allows %s if private targets are allowed', (address) => {
    expect(open.allows(address)).toBe(true);
  });

  it.each([...METADATA, ...NO_HOSTS])('never allows %j', (address) => {
    expect(open.allows(address)).toBe(false);
    expect(createAddressPolicy(['0.0.0.0/0', '::/0']).allows(address)).toBe(false);
  });

  it.each([
    [['127.0.0.0/8'], '127.0.0.1', true],
    [['127.0.0.0/8'], '::ffff:127.0.0.1', true],
    [['127.0.0.0/8'], '::1', false],
    [['127.0.0.0/8'], '10.0.0.1', false],
    [['127.0.0.0/8'], '8.8.8.8', true],
    [['10.0.0.0/8', 'fd00::/8'], 'fd12::1', true],
    [['10.0.0.0/8', 'fd00::/8'], '10.255.255.255', true],
    [['10.0.0.0/8', 'fd00::/8'], '11.0.0.1', true],
    [['10.1.2.3/32'], '10.1.2.4', false],
    [['2002::/16'], '2002:a00:1::', false],
    [['2002::/16', '10.0.0.0/8'], '2002:a00:1::', true],
    [['169.254.0.0/16'], '169.254.169.254', false],
    [['169.254.0.0/16'], '169.254.1.1', true],
  ])('with %j allowed, returns for %s %s', (ranges, address, allowed) => {
    expect(createAddressPolicy(ranges).allows(address)).toBe(allowed);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'localhost', 'fd00::/129', ''])('refuses the range %j', (range) => {
    expect(() => createAddressPolicy([range])).toThrow('not an address range');
  });

  it.each([
    ['localhost', true],
    ['LOCALHOST.', true],
    ['a.localhost', true],
    ['metadata.google.internal', true],
    ['metadata.goog.', true],
    ['2130706433', true],
    ['0x7f.1', true],
    ['127。0。0。1', true],
    ['[::ffff:a9fe:a9fe]', true],
    ['fe80::1%eth0', true],
    ['a;id', true],
    ['example.com', false],
    ['internal.example.com', false],
    ['8.8.8.8', false],
    ['localhost.example.com', false],
  ])('returns whether the host %s is refused without resolving it: %s', (host, refused) => {
    expect(closed.refusesHost(host)).toBe(refused);
  });

  it('allows localhost with an allowed loopback range, but no metadata name', () => {
    const policy = createAddressPolicy(['127.0.0.0/8']);
    expect(['localhost', '127.1', 'metadata.google.internal'].map((host) => policy.refusesHost(host))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
