import { describe, expect, it } from '@jest/globals';
import { faultOf } from './connection.js';
import { ProbeFault } from './probe-fault.js';

const [HERE, FAR] = ['192.0.2.1', '2001:db8::1'];
const failed = (code: string, address: string = HERE): Error => Object.assign(new Error(code), { code, address });
const TIMEOUT = new ProbeFault('connect_timeout', 'No connection was made within the time limit.');

/** Node's errors of the attempts in their order, and the addresses to which this machine has a way. */
describe('what failed attempts to connect say', () => {
  it.each<[string, Error[], string[], string]>([
    ['ENETUNREACH without a route', [failed('ENETUNREACH')], [], 'network_unavailable'],
    ['ENETDOWN', [failed('ENETDOWN')], [], 'network_unavailable'],
    ['ENONET', [failed('ENONET')], [], 'network_unavailable'],
    ['no address to leave from', [failed('EADDRNOTAVAIL')], [], 'network_unavailable'],
    ['no such family here', [failed('EAFNOSUPPORT', FAR)], [], 'network_unavailable'],
    ['neither family has a route', [failed('ENETUNREACH'), failed('ENETUNREACH', FAR)], [], 'network_unavailable'],
    ['a router far away says ENETUNREACH', [failed('ENETUNREACH')], [HERE], 'connect_failed'],
    ['of the second address', [failed('ENETUNREACH', FAR), failed('ENETUNREACH')], [HERE], 'connect_failed'],
    ['EHOSTUNREACH', [failed('EHOSTUNREACH')], [], 'connect_failed'],
    ['refused, then no route', [failed('ECONNREFUSED'), failed('ENETUNREACH', FAR)], [], 'connect_refused'],
    ['no route, then refused', [failed('ENETUNREACH', FAR), failed('ECONNREFUSED')], [HERE], 'connect_refused'],
    ['no route, then nothing', [failed('ENETUNREACH', FAR), TIMEOUT], [HERE], 'connect_timeout'],
    ['no route, then ETIMEDOUT', [failed('ENETUNREACH', FAR), failed('ETIMEDOUT')], [HERE], 'connect_timeout'],
    ['no port left to leave from', [failed('EADDRNOTAVAIL')], [HERE], 'EADDRNOTAVAIL'],
    ['no descriptor left', [failed('EMFILE')], [HERE], 'EMFILE'],
  ])('%s', async (_, errors, routed, code) => {
    const fault = await faultOf(errors, (address) => Promise.resolve(routed.includes(address)));
    expect((fault as { code?: string }).code).toBe(code);
  });
});
