import { describe, expect, it } from '@jest/globals';
import { readEcho } from './echo-reading.js';

// Actual outputs of the programs in locale C.
const FPING_LOSS = '\n192.0.2.254 : xmt/rcv/%loss = 1/0/100%\n';
const iputils = (line: string, received: number): string =>
  `PING 192.0.2.254 (192.0.2.254) 56(84) bytes of data.\n${line}\n--- 192.0.2.254 ping statistics ---\n` +
  `1 packets transmitted, ${received} received, ${received ? 0 : 100}% packet loss, time 0ms\n`;

describe('readEcho', () => {
  it.each<[string, string, string, ReturnType<typeof readEcho>]>([
    [
      'fping',
      '127.0.0.1 : [0], 64 bytes, 0.010 ms (0.010 avg, 0% loss)\n',
      '\n127.0.0.1 : xmt/rcv/%loss = 1/1/0%, min/avg/max = 0.010/0.010/0.010\n',
      { kind: 'reply', roundTripsMs: [0.01] },
    ],
    [
      'several requests in fping, of which one is lost',
      '127.0.0.1 : [0], 64 bytes, 0.021 ms (0.021 avg, 0% loss)\n' +
        '127.0.0.1 : [1], timed out (0.021 avg, 50% loss)\n' +
        '127.0.0.1 : [2], 64 bytes, 0.031 ms (0.026 avg, 33% loss)\n',
      '',
      { kind: 'reply', roundTripsMs: [0.021, 0.031] },
    ],
    [
      'duplicate replies in fping',
      '192.0.2.1 : [0], 64 bytes, 0.021 ms (0.021 avg, 0% loss)\n' +
        '192.0.2.1 : [0], 64 bytes, 0.050 ms (0.036 avg, 200% return)\n' +
        '192.0.2.1 : [1], 64 bytes, 0.031 ms (0.034 avg, 150% return)\n',
      '',
      { kind: 'reply', roundTripsMs: [0.021, 0.031] },
    ],
    ['fping, IPv6', '::1 : [0], 64 bytes, 12.3 ms (12.3 avg, 0% loss)\n', '', { kind: 'reply', roundTripsMs: [12.3] }],
    [
      'a slow reply in fping',
      '192.0.2.1 : [0], 84 bytes, 1234 ms (1234 avg, 0% loss)\n',
      '',
      { kind: 'reply', roundTripsMs: [1234] },
    ],
    ['fping', '192.0.2.254 : [0], timed out (NaN avg, 100% loss)\n', FPING_LOSS, { kind: 'lost' }],
    [
      'a report by a router in fping',
      '192.0.2.254 : [0], timed out (NaN avg, 100% loss)\n',
      `ICMP Host Unreachable from 192.0.2.2 for ICMP Echo sent to 192.0.2.254\n${FPING_LOSS}`,
      { kind: 'unreachable' },
    ],
    ['fping without a route', '', FPING_LOSS, { kind: 'unreachable' }],
    ['fping without permission', '', "/usr/bin/fping: can't create socket (must run as root?)\n", { kind: 'failed' }],
    [
      'iputils',
      iputils('64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.014 ms\n', 1),
      '',
      { kind: 'reply', roundTripsMs: [0.014] },
    ],
    [
      'duplicate replies in iputils',
      iputils(
        '64 bytes from 192.0.2.1: icmp_seq=1 ttl=49 time=108 ms\n' +
          '64 bytes from 192.0.2.1: icmp_seq=1 ttl=49 time=112 ms (DUP!)\n',
        1,
      ),
      '',
      { kind: 'reply', roundTripsMs: [108] },
    ],
    ['iputils', iputils('', 0), '', { kind: 'lost' }],
    [
      'a report by a router in iputils',
      iputils('From 192.0.2.2 icmp_seq=1 Destination Host Unreachable\n', 0),
      '',
      { kind: 'unreachable' },
    ],
    ['iputils without a route', '', 'ping: connect: Network is unreachable\n', { kind: 'unreachable' }],
    ['iputils without IPv6', '', 'ping: connect: Cannot assign requested address\n', { kind: 'unreachable' }],
    [
      'iputils, a broadcast address',
      '',
      'ping: Do you want to ping broadcast? Then -b. If not, check your local firewall rules\n',
      { kind: 'unreachable' },
    ],
    [
      'iputils without permission',
      '',
      'ping: socktype: SOCK_RAW\nping: socket: Operation not permitted\nping: => missing cap_net_raw+p capability or setuid?\n',
      { kind: 'failed' },
    ],
    [
      'inetutils',
      'PING 127.0.0.1 (127.0.0.1): 56 data bytes\n64 bytes from 127.0.0.1: icmp_seq=0 ttl=64 time=0.027 ms\n',
      '',
      { kind: 'reply', roundTripsMs: [0.027] },
    ],
    [
      'inetutils',
      '--- 192.0.2.254 ping statistics ---\n1 packets transmitted, 0 packets received, 100% packet loss\n',
      '',
      { kind: 'lost' },
    ],
    [
      'BusyBox',
      'PING 127.0.0.1 (127.0.0.1): 56 data bytes\n64 bytes from 127.0.0.1: seq=0 ttl=64 time=0.055 ms\n',
      '',
      { kind: 'reply', roundTripsMs: [0.055] },
    ],
    ['inetutils without permission', '', 'ping: Lacking privilege for icmp socket.\n', { kind: 'failed' }],
    [
      'a decimal comma',
      '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0,5 ms\n',
      '',
      { kind: 'reply', roundTripsMs: [0.5] },
    ],
    ['no output', '', '', { kind: 'failed' }],
  ])('parses %s as %j', (_, stdout, stderr, reading) => expect(readEcho(stdout, stderr)).toEqual(reading));
});
