import { describe, expect, it } from '@jest/globals';
import { faultOf } from './connection.js';
import { ProbeFault } from './probe-fault.js';

const [HERE, FAR] = ['192.0.2.1', '2001:db8::1'];
const failed = (code: string, address: string = HERE): Error => Object.assign(new Error(code), { code, address });
const TIMEOUT = new ProbeFault('connect_timeout', 'The connection timed out.');

/** Cases of Node's errors of the attempts, in order, and the addresses to which this machine has a route. */
describe('the fault of failed attempts to connect', () => {
  it.each<[string, Error[], string[], string]>([
    ['ENETUNREACH without a route', [failed('ENETUNREACH')], [], 'network_unavailable'],
    ['ENETDOWN', [failed('ENETDOWN')], [], 'network_unavailable'],
    ['ENONET', [failed('ENONET')], [], 'network_unavailable'],
    ['no source address', [failed('EADDRNOTAVAIL')], [], 'network_unavailable'],
    ['an unsupported address family', [failed('EAFNOSUPPORT', FAR)], [], 'network_unavailable'],
    ['no route for either family', [failed('ENETUNREACH'), failed('ENETUNREACH', FAR)], [], 'network_unavailable'],
    ['ENETUNREACH from a remote router', [failed('ENETUNREACH')], [HERE], 'connect_failed'],
    [
      'ENETUNREACH from a remote router for the second address',
      [failed('ENETUNREACH', FAR), failed('ENETUNREACH')],
      [HERE],
      'connect_failed',
    ],
    ['EHOSTUNREACH', [failed('EHOSTUNREACH')], [], 'connect_failed'],
    ['refused, then no route', [failed('ECONNREFUSED'), failed('ENETUNREACH', FAR)], [], 'connect_refused'],
    ['no route, then refused', [failed('ENETUNREACH', FAR), failed('ECONNREFUSED')], [HERE], 'connect_refused'],
    ['no route, then a timeout', [failed('ENETUNREACH', FAR), TIMEOUT], [HERE], 'connect_timeout'],
    ['no route, then ETIMEDOUT', [failed('ENETUNREACH', FAR), failed('ETIMEDOUT')], [HERE], 'connect_timeout'],
    ['no source port left', [failed('EADDRNOTAVAIL')], [HERE], 'EADDRNOTAVAIL'],
    ['no descriptor left', [failed('EMFILE')], [HERE], 'EMFILE'],
  ])('is correct for %s', async (_, errors, routed, code) => {
    const fault = await faultOf(errors, (address) => Promise.resolve(routed.includes(address)));
    expect((fault as { code?: string }).code).toBe(code);
  });
});
