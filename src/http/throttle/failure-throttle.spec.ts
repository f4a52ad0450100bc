import { describe, expect, it } from '@jest/globals';
import { FailureThrottle } from './failure-throttle.js';

const LIMITS = { failures: 2, windowMs: 1_000, addresses: 3 };

describe('FailureThrottle', () => {
  it('blocks an address until its window ends, and no other', () => {
    const throttle = new FailureThrottle(LIMITS);
    expect([0, 100, 200, 999].map((at) => throttle.take('192.0.2.1', at))).toEqual([0, 0, 800, 1]);
    expect(throttle.take('192.0.2.2', 200)).toBe(0);
    expect([1_000, 1_001, 1_002].map((at) => throttle.take('192.0.2.1', at))).toEqual([0, 0, 998]);
  });

  it('does not count forgiven attempts', () => {
    const throttle = new FailureThrottle(LIMITS);
    for (let at = 0; at < 10; at += 1) {
      expect(throttle.take('192.0.2.1', at)).toBe(0);
      throttle.forgive('192.0.2.1');
    }
    throttle.forgive('192.0.2.1');
    expect([10, 11, 12].map((at) => throttle.take('192.0.2.1', at))).toEqual([0, 0, 988]);
  });

  it('counts an IPv6 /64 as one network, and a mapped address as the IPv4 address', () => {
    const throttle = new FailureThrottle(LIMITS);
    expect(['2001:db8:1:2::1', '2001:db8:1:2:f::', '2001:db8:1:2::9'].map((one) => throttle.take(one, 0))).toEqual([
      0, 0, 1_000,
    ]);
    expect(throttle.take('2001:db8:1:3::1', 0)).toBe(0);
    expect(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'].map((one) => throttle.take(one, 0))).toEqual([0, 0, 1_000]);
  });

  it('forgets the address that has been quiet for longest beyond its limit', () => {
    const throttle = new FailureThrottle({ ...LIMITS, failures: 1 });
    const [a = '', b = '', c = '', d = ''] = [1, 2, 3, 4].map((n) => `192.0.2.${n}`);
    for (const address of [a, b, c]) throttle.take(address, 0);
    expect(throttle.take(a, 1)).toBe(999);
    throttle.take(d, 2);
    expect(throttle.take(a, 3)).toBe(997);
    expect(throttle.take(b, 3)).toBe(0);
  });

  it('counts everything that is not an address as one', () => {
    const throttle = new FailureThrottle(LIMITS);
    expect(['', 'unknown', '<script>', 'x'.repeat(10_000)].map((one) => throttle.take(one, 0))).toEqual([
      0, 0, 1_000, 1_000,
    ]);
  });
});
