import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { settledDescriptors } from '../../test/support/descriptors.js';
import {
  FORMERR,
  NOTIMP,
  NXDOMAIN,
  rdata,
  REFUSED,
  SERVFAIL,
  startNameServer,
  type NameServer,
  type ZoneAnswer,
} from '../../test/support/name-server.js';
import { testEgress, type ProbeRunOptions } from '../../test/support/probe-run.js';
import { latestEndMs, timed } from '../../test/support/timed.js';
import { dnsProbe, type DnsFields } from './dns.probe.js';
import { type RecordType } from './dns/record-query.js';
import { createAddressPolicy } from './net/address-policy.js';
import { Egress } from './net/egress.js';
import { DnsResolver } from './net/name-resolver.js';
import { runProbe } from './run-check.js';

let server: NameServer;
beforeEach(async () => {
  server = await startNameServer();
});
afterEach(() => server.close());

/** Runs a DNS check against the test's own name server, unless `settings` specifies another. */
function ask(recordType: RecordType, more: Partial<DnsFields> = {}, options: ProbeRunOptions = {}) {
  const fields = { host: 'x.example', settings: { recordType, nameserver: server.at }, ...more };
  const { timeoutMs = 5_000, allow } = options;
  return runProbe(dnsProbe, fields, { timeoutMs, egress: testEgress(allow) });
}

function equal(target: string): DnsFields['assertions'] {
  return [{ source: 'dnsRecord', comparison: 'equals', target }];
}

describe('the DNS probe', () => {
  it.each<[RecordType, Buffer, string]>([
    ['A', rdata.a('192.0.2.1'), '192.0.2.1'],
    ['AAAA', rdata.aaaa('20010db8000000000000000000000001'), '2001:db8::1'],
    ['CNAME', rdata.name('Target.example'), 'target.example'],
    ['MX', rdata.mx(10, 'mail.example'), '10 mail.example'],
    ['NS', rdata.name('ns1.example'), 'ns1.example'],
    ['TXT', rdata.txt('v=spf1 ', '-all'), 'v=spf1 -all'],
    ['SRV', rdata.srv(10, 60, 5_060, 'sip.example'), '10 60 5060 sip.example'],
    ['CAA', rdata.caa(0, 'issue', 'letsencrypt.org'), '0 issue "letsencrypt.org"'],
    ['SOA', rdata.soa('ns1.example', 'admin.example', 7, 1, 2, 3, 4), 'ns1.example admin.example 7 1 2 3 4'],
    ['PTR', rdata.name('host.example'), 'host.example'],
  ])('finds a record of type %s', async (type, data, text) => {
    server.zone[`x.example/${type}`] = [data];
    expect(await ask(type, { assertions: equal(text) })).toMatchObject({
      error: null,
      statusCode: null,
      remoteAddress: '127.0.0.1',
      responseTimeMs: expect.any(Number),
      timings: { dnsMs: expect.any(Number), connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null },
    });
    expect(server.asked).toEqual([`x.example/${type}`]);
  });

  it('reports the found records if an assertion fails', async () => {
    server.zone['x.example/MX'] = [rdata.mx(10, 'a.example'), rdata.mx(20, 'b.example')];
    const outcome = await ask('MX', { assertions: equal('10 mail.example') });
    expect(outcome).toMatchObject({
      error: { code: 'assertion_failed' },
      failedAssertions: [
        { index: 0, actual: expect.stringMatching(/^(10 a\.example, 20 b|20 b\.example, 10 a)\.example$/) },
      ],
    });
  });

  it('queries the reverse name of an address', async () => {
    server.zone['53.2.0.192.in-addr.arpa/PTR'] = [rdata.name('ns.example')];
    expect((await ask('PTR', { host: '192.0.2.53', assertions: equal('ns.example') })).error).toBeNull();
  });

  it.each<[string, ZoneAnswer, string]>([
    ['no such name', NXDOMAIN, 'dns_not_found'],
    ['no record of the type', [], 'dns_not_found'],
    ['SERVFAIL', SERVFAIL, 'dns_failed'],
    ['REFUSED', REFUSED, 'dns_failed'],
    ['FORMERR', FORMERR, 'dns_failed'],
    ['NOTIMP', NOTIMP, 'dns_failed'],
    ['garbage', 'garbage', 'dns_failed'],
    ['data that is too short', [Buffer.from([1])], 'dns_failed'],
  ])('reports %s', async (_, answer, code) => {
    server.zone['x.example/A'] = answer;
    const outcome = await ask('A', { assertions: equal('192.0.2.1') });
    expect(outcome).toMatchObject({ error: { code }, failedAssertions: [] });
    // A response without records is still a response, so its phase has a timing.
    expect(outcome.timings.dnsMs === null).toBe(code !== 'dns_not_found');
  });

  it('receives responses over TCP that are too long for a datagram', async () => {
    const records = Array.from({ length: 200 }, (_, i) => rdata.txt(`${i} ${'x'.repeat(200)}`));
    server.zone['x.example/TXT'] = { records, truncated: true };
    const outcome = await ask('TXT', { assertions: equal(`199 ${'x'.repeat(200)}`) });
    expect(outcome.error).toBeNull();
    expect(server.asked).toHaveLength(2);
  });

  it('sends a new query each time, regardless of the TTL', async () => {
    for (const ttl of [0, 3_600]) {
      for (const address of ['192.0.2.1', '192.0.2.2']) {
        server.zone['x.example/A'] = { records: [rdata.a(address)], ttl };
        expect((await ask('A', { assertions: equal(address) })).error).toBeNull();
      }
    }
    expect(server.asked).toHaveLength(4);
  });

  it('repeats the query if a datagram was lost', async () => {
    const checking = ask('A', {}, { timeoutMs: 2_000 });
    while (server.asked.length === 0) await new Promise((done) => setImmediate(done));
    server.zone['x.example/A'] = [rdata.a('192.0.2.1')];
    expect((await checking).error).toBeNull();
  });

  it.each([400, 1_200])('meets its deadline of %d ms if the server never answers', async (timeoutMs) => {
    const startedAt = performance.now();
    const { value: outcome, tookMs } = await timed(() => ask('A', {}, { timeoutMs }));
    const elapsedMs = performance.now() - startedAt;
    expect(outcome).toMatchObject({ error: { code: 'timeout' }, responseTimeMs: null, timings: { dnsMs: null } });
    expect(elapsedMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    expect(tookMs).toBeLessThan(latestEndMs(timeoutMs));
  });

  it('reports a server that does not exist', async () => {
    expect((await ask('A', { settings: { recordType: 'A', nameserver: '127.0.0.1:1' } })).error?.code).toBe(
      'dns_failed',
    );
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '[::ffff:7f00:1]'])(
    'does not query %s if it is not allowed',
    async (at) => {
      server.zone['x.example/A'] = [rdata.a('192.0.2.1')];
      const nameserver = at.startsWith('[') || !at.includes(':') ? `${at}:${server.port}` : `[${at}]:${server.port}`;
      const settings = { recordType: 'A' as const, nameserver };
      for (const dnssec of [false, true]) {
        const outcome = await ask('A', { settings: { ...settings, dnssec } }, { allow: [] });
        expect(outcome.error?.code).toBe('address_blocked');
      }
      expect(server.asked).toEqual([]);
      expect((await ask('A', { settings })).error).toBeNull();
    },
  );

  it('does not query a forbidden endpoint, even if its address is allowed', async () => {
    const forbidden = [{ host: 'localhost', port: server.port }];
    const egress = new Egress(createAddressPolicy(true), new DnsResolver(), { forbidden });
    const fields = { host: 'x.example', settings: { recordType: 'A' as const, nameserver: server.at } };
    expect((await runProbe(dnsProbe, fields, { timeoutMs: 1_000, egress })).error?.code).toBe('address_blocked');
    expect(server.asked).toEqual([]);
  });

  it('queries the name servers of the system by default', async () => {
    const outcome = await ask('A', { host: 'nowhere.invalid', settings: { recordType: 'A', nameserver: null } });
    // The outcome on a machine without any name server does not matter here.
    expect(outcome.error?.code).toMatch(/^(dns_not_found|dns_failed|timeout)$/);
    expect(outcome.remoteAddress).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it('does not delay fast checks because of slow ones', async () => {
    server.zone['good.example/A'] = [rdata.a('192.0.2.1')];
    let ended = 0;
    const slow = Array.from({ length: 100 }, async (_, i) => {
      await ask('A', { host: `slow${i}.example` }, { timeoutMs: 40_000 });
      ended += 1;
    });
    await Promise.all(Array.from({ length: 100 }, () => ask('A', { host: 'good.example' })));
    expect(ended).toBe(0);
    // The server leaves the first query of a slow name unanswered and answers the next try.
    for (let i = 0; i < 100; i++) server.zone[`slow${i}.example/A`] = [rdata.a('192.0.2.1')];
    await Promise.all(slow);
  });

  it('leaks no descriptor in 200 checks with all kinds of outcomes', async () => {
    Object.assign(server.zone, {
      'good.example/A': [rdata.a('192.0.2.1')],
      'long.example/A': { records: [rdata.a('192.0.2.1')], truncated: true },
      'none.example/A': NXDOMAIN,
      'bad.example/A': SERVFAIL,
      'odd.example/A': 'garbage',
    });
    const hosts = ['good', 'long', 'none', 'bad', 'odd'].map((name) => `${name}.example`);
    const round = () =>
      Promise.all([
        ...Array.from({ length: 35 }, (_, i) => ask('A', { host: hosts[i % hosts.length]! })),
        ...Array.from({ length: 5 }, () => ask('A', { host: 'dead.example' }, { timeoutMs: 200 })),
      ]);
    await round();
    const before = await settledDescriptors();
    for (let i = 0; i < 5; i += 1) await round();
    expect(await settledDescriptors()).toBeLessThanOrEqual(before + 2);
  });

  it.each<[DnsFields, string, object[]]>([
    [{ host: 'x.example', settings: { recordType: 'MX' } }, 'MX x.example', []],
    [
      { host: 'x.example', settings: { recordType: 'A', nameserver: '[2001:DB8::1]:5353' } },
      'A x.example @[2001:DB8::1]:5353',
      [{ pointer: '/settings/nameserver', host: '2001:db8::1' }],
    ],
    [
      { host: '10.0.0.1', settings: { recordType: 'PTR', nameserver: '192.0.2.53' } },
      'PTR 10.0.0.1 @192.0.2.53',
      [
        { pointer: '/settings/nameserver', host: '192.0.2.53' },
        { pointer: '/host', host: '10.0.0.1' },
      ],
    ],
  ])('shows the target of %j as %s and returns its hosts', (fields, target, hosts) => {
    expect(dnsProbe.target(fields)).toBe(target);
    expect(dnsProbe.hosts(fields)).toEqual(hosts);
  });
});
