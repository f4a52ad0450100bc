import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { canPing } from '../../test/support/can-ping.js';
import { settledDescriptors } from '../../test/support/descriptors.js';
import { problemsOf } from '../../test/support/field-problems.js';
import { testEgress, type ProbeRunOptions } from '../../test/support/probe-run.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { latestEndMs, timed } from '../../test/support/timed.js';
import { within } from './deadline.js';
import { createAddressPolicy } from './net/address-policy.js';
import { Egress } from './net/egress.js';
import { type NameResolver } from './net/name-resolver.js';
import { echo } from './ping/echo.js';
import { pingProbe, PingFields } from './ping.probe.js';
import { runProbe } from './run-check.js';

function runPing(fields: PingFields, { timeoutMs = 2_000, allow }: ProbeRunOptions = {}) {
  return runProbe(pingProbe, fields, { timeoutMs, egress: testEgress(allow) });
}

describe('PingFields', () => {
  it.each<object>([
    { host: 'example.com' },
    { host: '2001:db8::1' },
    { host: '192.0.2.1', assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 20 }] },
  ])('accepts %j', (fields) => expect(problemsOf(PingFields, fields)).toEqual([]));

  it.each<[object, string]>([
    [{}, '/host isString'],
    ...['', '-f', '-c1', '127.0.0.1 -f', '127.0.0.1;id', '$(id)', '`id`', 'a|b', 'a\nb', '@file', '192.0.2.0/24'].map(
      (host): [object, string] => [{ host }, '/host invalid_value'],
    ),
    [{ host: 'a', port: 1 }, '/port whitelistValidation'],
    [
      { host: 'a', assertions: [{ source: 'tlsDaysLeft', comparison: 'exists' }] },
      '/assertions/0/source invalid_value',
    ],
  ])('rejects %j with %s', (fields, problem) => expect(problemsOf(PingFields, fields)).toContain(problem));
});

describe('the ping probe', () => {
  it.each<[string, ProbeRunOptions]>([
    ['127.0.0.1', { allow: [] }],
    ['localhost', { allow: [] }],
    ['2130706433', { allow: [] }],
    ['169.254.169.254', { allow: true }],
    ['255.255.255.255', { allow: true }],
    ['224.0.0.1', { allow: true }],
  ])('sends nothing to %s with %j', async (host, options) => {
    expect(await runPing({ host }, options)).toMatchObject({ error: { code: 'address_blocked' }, remoteAddress: null });
  });

  (pingProbe.unavailable!() === null ? it.skip : it)('reports what to install if there is no program', async () => {
    expect(pingProbe.unavailable!()).toContain('install the package fping');
    const outcome = await runPing({ host: '127.0.0.1' });
    expect(outcome.error).toMatchObject({ code: 'checker_error', message: pingProbe.unavailable!() });
  });
});

// Skipped if neither fping nor ping is installed, or if this user lacks the permission to send pings.
(canPing() ? describe : describe.skip)('a ping with the program of this machine', () => {
  it.each([
    ['127.0.0.1', null],
    ['0x7f.1', null],
    ['localhost', expect.any(Number)],
  ])('is answered by %s', async (host, dnsMs) => {
    expect(await runPing({ host })).toMatchObject({
      error: null,
      statusCode: null,
      remoteAddress: '127.0.0.1',
      responseTimeMs: expect.any(Number),
      timings: { dnsMs, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number), transferMs: null },
    });
  });

  it('has the round-trip time as its response time', async () => {
    const outcome = await runPing({ host: '127.0.0.1' });
    expect(outcome.responseTimeMs).toBe(outcome.timings.firstByteMs);
    const assertions = [{ source: 'responseTimeMs' as const, comparison: 'lessThan' as const, target: -1 }];
    expect((await runPing({ host: '127.0.0.1', assertions })).error?.code).toBe('assertion_failed');
  });

  it('has all requests answered in the time that a slow look-up leaves', async () => {
    const resolver: NameResolver = { resolve: () => delay(2_500, ['127.0.0.1']) };
    const egress = new Egress(createAddressPolicy(['127.0.0.0/8']), resolver);
    const assertions = [{ source: 'packetLossPercent' as const, comparison: 'equals' as const, target: 0 }];
    const fields: PingFields = { host: 'slow.example', settings: { count: 10 }, assertions };
    const outcome = await runProbe(pingProbe, fields, { timeoutMs: 4_000, egress });
    expect(outcome.error).toBeNull();
  });

  it('keeps the replies that arrived before the program was killed', async () => {
    const echoes = await within(null, 700, (deadline) => echo('127.0.0.1', 10, 60_000, deadline));
    expect(echoes.sent).toBe(10);
    expect([1, 2, 3, 4]).toContain(echoes.roundTripsMs.length);
  });

  it.each([300, 1_500])('kills the program at a deadline of %d ms', async (timeoutMs) => {
    // TEST-NET-1 is unreachable; a machine without a route, or a router, reports this.
    const { value: outcome, tookMs } = await timed(() => runPing({ host: '192.0.2.254' }, { timeoutMs, allow: true }));
    expect(outcome.error?.code).toMatch(/^(timeout|connect_failed)$/);
    expect(outcome).toMatchObject({ responseTimeMs: null, remoteAddress: null, timings: { firstByteMs: null } });
    expect(tookMs).toBeLessThan(latestEndMs(timeoutMs));
  });

  it('leaks no descriptor and no process', async () => {
    const round = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          i % 4 === 0
            ? runPing({ host: '192.0.2.254' }, { timeoutMs: 150, allow: true })
            : runPing({ host: '127.0.0.1' }),
        ),
      );
    await round();
    const before = await settledDescriptors();
    for (let i = 0; i < propertyRuns(30).numRuns; i += 1) await round();
    expect(await settledDescriptors()).toBeLessThanOrEqual(before + 2);
    const isChild = (resource: string) => resource === 'ProcessWrap';
    while (process.getActiveResourcesInfo().some(isChild)) await new Promise((done) => setImmediate(done));
  }, 60_000);
});
