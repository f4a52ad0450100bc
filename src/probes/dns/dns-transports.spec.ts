import { afterEach, describe, expect, it } from '@jest/globals';
import { answerTo, NXDOMAIN, rdata, SERVFAIL, startNameServer, type Zone } from '../../../test/support/name-server.js';
import { problemsOf } from '../../../test/support/field-problems.js';
import { runCheck, startHttp2, startScript, stopsServers } from '../../../test/support/probe-scripts.js';
import { testEgress } from '../../../test/support/probe-run.js';
import { testCertificate } from '../../../test/support/raw-target.js';
import { within } from '../deadline.js';
import { dnsProbe } from '../dns.probe.js';
import { evaluateAlone } from '../evaluation.js';
import { withLength } from '../net/bytes.js';
import { PhaseClock } from '../phase-clock.js';
import { DnsFields } from './dns-fields.dto.js';
import { askPlain, systemServers } from './dns-transports.js';
import { type RecordType } from './record-query.js';

stopsServers();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const A = [rdata.a('192.0.2.1'), rdata.a('192.0.2.2')];
const host = 'x.example';

/** Starts a server of DNS over TLS. */
async function overTls(zone: Zone): Promise<string> {
  const { port } = await startScript((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const message = answerTo(zone, chunk.subarray(2), false);
      if (message) socket.write(withLength(message));
    });
  }, testCertificate('valid'));
  return `localhost:${port}`;
}

/** Starts a server of DNS over HTTPS, which speaks only HTTP/2. */
async function overHttps(zone: Zone, headers: Record<string, string | number> = {}): Promise<string> {
  const port = await startHttp2((stream, { ':path': path = '' }) => {
    const dns = new URLSearchParams(path.split('?')[1]).get('dns') ?? '';
    stream.respond({ ':status': 200, 'content-type': 'application/dns-message', ...headers });
    stream.end(answerTo(zone, Buffer.from(dns, 'base64url'), false));
  });
  return `https://localhost:${port}/dns-query`;
}

const WAYS = [
  ['tls', overTls],
  ['https', overHttps],
  [
    'udp',
    async (zone: Zone) => {
      const server = await startNameServer(zone);
      closing.push(() => server.close());
      return server.at;
    },
  ],
] as const;

describe.each(WAYS)('DNS over %s, with DNSSEC', (transport, start) => {
  const ask = (nameserver: string, recordType: RecordType, more: object = {}, target?: string) =>
    runCheck('dns', {
      host,
      settings: { recordType, nameserver, transport, dnssec: true, ...more },
      assertions: target === undefined ? [] : [{ source: 'dnsRecord', comparison: 'equals', target }],
    });

  it.each<[RecordType, Buffer, string]>([
    ['A', rdata.a('192.0.2.1'), '192.0.2.1'],
    ['AAAA', rdata.aaaa('20010db8000000000000000000000001'), '2001:db8::1'],
    ['CNAME', rdata.name('Target.example'), 'target.example'],
    ['MX', rdata.mx(10, 'mail.example'), '10 mail.example'],
    ['NS', rdata.name('ns1.example'), 'ns1.example'],
    ['TXT', rdata.txt('v=spf1 ', 'ä', '\u0007'), 'v=spf1 ä\\007'],
    ['SRV', rdata.srv(10, 60, 5_060, 'sip.example'), '10 60 5060 sip.example'],
    ['CAA', rdata.caa(0, 'issue', 'letsencrypt.org'), '0 issue "letsencrypt.org"'],
    ['SOA', rdata.soa('ns1.example', 'admin.example', 7, 1, 2, 3, 4), 'ns1.example admin.example 7 1 2 3 4'],
    ['PTR', rdata.name('host.example'), 'host.example'],
  ])('finds a record of type %s', async (type, data, text) => {
    const nameserver = await start({ [`x.example/${type}`]: { records: [data], isAuthenticated: true } });
    const outcome = await ask(nameserver, type, { expectedRecords: [text] }, text);
    expect(outcome).toMatchObject({ error: null, remoteAddress: '127.0.0.1', responseTimeMs: expect.any(Number) });
    expect(outcome.timings.dnsMs).not.toBeNull();
  });

  it('fails if the records are not authenticated', async () => {
    const nameserver = await start({ 'x.example/A': A });
    expect((await ask(nameserver, 'A', { dnssec: false })).error).toBeNull();
    expect((await ask(nameserver, 'A')).error).toEqual({
      code: 'unexpected_response',
      message: 'The name server has not verified the records with DNSSEC.',
    });
  });

  it('receives long responses', async () => {
    const records = Array.from({ length: 200 }, (_, n) => rdata.txt(`${n} ${'x'.repeat(200)}`));
    const nameserver = await start({ 'x.example/TXT': { records, truncated: true, isAuthenticated: true } });
    expect((await ask(nameserver, 'TXT', {}, `199 ${'x'.repeat(200)}`)).error).toBeNull();
  });

  it.each([
    ['no such name', NXDOMAIN, 'dns_not_found'],
    ['no record of the type', [], 'dns_not_found'],
    ['SERVFAIL', SERVFAIL, 'dns_failed'],
    ['garbage', 'garbage', 'dns_failed'],
    ['data that is too short', [Buffer.from([1])], 'dns_failed'],
  ] as const)('reports %s', async (_, answer, code) => {
    const nameserver = await start({ 'x.example/A': answer as Zone[string] });
    expect((await ask(nameserver, 'A')).error?.code).toBe(code);
  });
});

describe('name servers that their caller permits', () => {
  const askAll = (ports: readonly number[], timeoutMs = 5_000) => {
    const context = {
      timeoutMs,
      clock: new PhaseClock(),
      egress: testEgress([]),
      evaluate: evaluateAlone,
      onCertificate: () => undefined,
      onRegistration: () => undefined,
    };
    const servers = ports.map((port) => ({ address: '127.0.0.1', port }));
    return within(null, timeoutMs, (deadline) =>
      askPlain({ name: host, type: 'A' }, servers, { ...context, deadline }),
    );
  };
  const serve = async (answer?: Zone[string]): Promise<number> => {
    const server = await startNameServer(answer === undefined ? {} : { 'x.example/A': answer });
    closing.push(() => server.close());
    return server.port;
  };
  const answers = { records: A, isAuthenticated: true };
  const found = { records: ['192.0.2.1', '192.0.2.2'], isAuthenticated: true };

  it('are asked for long responses whatever their address', async () => {
    expect(await askAll([await serve({ ...answers, truncated: true })])).toMatchObject(found);
  });

  it.each<[string, () => Promise<number>]>([
    ['silent', () => serve()],
    ['broken', () => serve(SERVFAIL)],
    [
      'gone',
      async () => {
        const server = await startNameServer();
        await server.close();
        return server.port;
      },
    ],
  ])('are asked in turn if the first is %s', async (_, first) => {
    expect(await askAll([await first(), await serve(answers)], 1_000)).toMatchObject(found);
  });

  it('fail as the last one does', async () => {
    await expect(askAll([await serve(), await serve(SERVFAIL)], 1_000)).rejects.toMatchObject({
      code: 'dns_failed',
    });
  });
});

it('reads the name servers of the system, with zones', () => {
  expect(systemServers(['192.0.2.53', '[2001:db8::53]:5353', 'fe80::1%eth0', '[fe80::1%eth0]:54'])).toEqual([
    { address: '192.0.2.53', port: 53 },
    { address: '2001:db8::53', port: 5_353 },
    { address: 'fe80::1%eth0', port: 53 },
    { address: 'fe80::1%eth0', port: 54 },
  ]);
});

describe('the expected records', () => {
  const ask = async (expectedRecords: string[]) => {
    const server = await startNameServer({ 'x.example/A': A });
    closing.push(() => server.close());
    return (await runCheck('dns', { host, settings: { recordType: 'A', nameserver: server.at, expectedRecords } }))
      .error;
  };

  it('may come in any order', async () => {
    expect(await ask(['192.0.2.2', '192.0.2.1'])).toBeNull();
  });

  it.each([
    [['192.0.2.1'], 'There is an unexpected record 192.0.2.2.'],
    [['192.0.2.1', '192.0.2.2', '192.0.2.3'], 'There is no record 192.0.2.3.'],
  ])('fail as %j', async (expected, message) => {
    expect(await ask(expected)).toEqual({ code: 'unexpected_response', message });
  });
});

describe('a name server over HTTPS', () => {
  const ask = (nameserver: string) =>
    runCheck('dns', { host, settings: { recordType: 'A', nameserver, transport: 'https' } });

  it.each([
    [{ ':status': 404 }, 'The name server answered with the HTTP status 404.'],
    [{ 'content-type': 'text/html' }, 'The response of the name server is not a DNS message.'],
  ])('fails with %j', async (headers, message) => {
    const nameserver = await overHttps({ 'x.example/A': A }, headers);
    expect((await ask(nameserver)).error).toEqual({ code: 'dns_failed', message });
  });

  it('must have a trusted certificate', async () => {
    const { port } = await startScript(() => undefined, testCertificate('self-signed'));
    expect((await ask(`https://localhost:${port}/dns-query`)).error?.code).toBe('tls_untrusted');
  });
});

describe('the settings of an encrypted transport', () => {
  it.each([
    [{ transport: 'tls', nameserver: '2001:db8::53' }, []],
    [{ transport: 'tls', nameserver: '[2001:db8::53]:8853' }, []],
    [{ transport: 'tls', nameserver: 'dns.example.com' }, []],
    [{ transport: 'https', nameserver: 'https://dns.example.com/dns-query' }, []],
    [{ transport: 'tls' }, ['/settings/transport invalid_value']],
    [{ transport: 'tls', nameserver: 'https://dns.example.com' }, ['/settings/nameserver invalid_value']],
    [{ transport: 'tls', nameserver: 'dns.example.com:0' }, ['/settings/nameserver invalid_value']],
    [{ transport: 'https', nameserver: 'http://dns.example.com' }, ['/settings/nameserver invalid_value']],
    [{ transport: 'udp', nameserver: 'dns.example.com' }, ['/settings/nameserver invalid_value']],
    [{ transport: 'quic' }, ['/settings/transport isIn']],
    [{ expectedRecords: [] }, ['/settings/expectedRecords arrayNotEmpty']],
  ])('%j has the problems %j', (more, problems) => {
    expect(problemsOf(DnsFields, { host, settings: { recordType: 'A', ...more } })).toEqual(problems);
  });

  it('name the host that is connected to, and show no path', () => {
    const nameserver = 'https://dns.example.com/account';
    const fields = { host, settings: { recordType: 'A', transport: 'https', nameserver } } as DnsFields;
    expect(dnsProbe.hosts(fields)).toEqual([{ pointer: '/settings/nameserver', host: 'dns.example.com' }]);
    expect(dnsProbe.target(fields)).toBe('A x.example @dns.example.com');
  });
});
