import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import {
  type NameServer,
  NXDOMAIN,
  rdata,
  SERVFAIL,
  startNameServer,
  type Zone,
} from '../../../test/support/name-server.js';
import { timed } from '../../../test/support/timed.js';
import { HostsFile, parseHostsFile } from './hosts-file.js';
import { DnsResolver } from './name-resolver.js';

const NO_HOSTS = new HostsFile('/nonexistent');

let server: NameServer | undefined;

async function nameServer(zone: Zone): Promise<string> {
  server = await startNameServer(zone);
  return server.at;
}

afterEach(async () => {
  jest.restoreAllMocks();
  await server?.close();
  server = undefined;
});

const IPV6 = rdata.aaaa('20010db8000000000000000000000001');

const run = promisify(execFile);

describe('DnsResolver', () => {
  it('does not crash the process if IPv6 fails before IPv4 has answered', async () => {
    const at = await nameServer({ 'x.example/AAAA': NXDOMAIN });
    const resolverFile = new URL('./name-resolver.js', import.meta.url).href;
    const script = `
      const { DnsResolver } = await import(${JSON.stringify(resolverFile)});
      const resolver = new DnsResolver({ servers: ['${at}'], timeoutMs: 300, tries: 1 });
      await resolver.resolve('x.example').catch((fault) => console.log(fault.code));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout.trim()).toBe('dns_failed');
  });

  it('returns both families, IPv4 first', async () => {
    const at = await nameServer({
      'both.example/A': { records: [rdata.a('192.0.2.1'), rdata.a('192.0.2.2')], ttl: 60 },
      'both.example/AAAA': { records: [IPV6], ttl: 60 },
    });
    const resolver = new DnsResolver({ servers: [at], hostsFile: NO_HOSTS });
    const addresses = await resolver.resolve('both.example');
    expect([...addresses].sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(addresses.at(-1)).toBe('2001:db8::1');
  });

  it.each<[string, Zone, string]>([
    ['no such name', { 'x.example/A': NXDOMAIN, 'x.example/AAAA': NXDOMAIN }, 'dns_not_found'],
    [
      'a name without addresses',
      { 'x.example/A': { records: [], ttl: 1 }, 'x.example/AAAA': { records: [], ttl: 1 } },
      'dns_not_found',
    ],
    ['a failing server', { 'x.example/A': SERVFAIL, 'x.example/AAAA': SERVFAIL }, 'dns_failed'],
    ['a failure for one family', { 'x.example/A': { records: [], ttl: 1 }, 'x.example/AAAA': SERVFAIL }, 'dns_failed'],
    ['no answer', {}, 'dns_failed'],
  ])('reports %s', async (_, zone, code) => {
    const resolver = new DnsResolver({
      servers: [await nameServer(zone)],
      timeoutMs: 50,
      tries: 1,
      hostsFile: NO_HOSTS,
    });
    await expect(resolver.resolve('x.example')).rejects.toMatchObject({ name: 'ProbeFault', code });
  });

  it('does not wait for a family that never answers', async () => {
    const at = await nameServer({ 'a.example/A': { records: [rdata.a('192.0.2.1')], ttl: 60 } });
    const resolver = new DnsResolver({ servers: [at], timeoutMs: 900, tries: 1, hostsFile: NO_HOSTS });
    const { value, tookMs } = await timed(() => resolver.resolve('a.example'));
    expect(value).toEqual(['192.0.2.1']);
    expect(tookMs).toBeLessThan(500);
  });

  it('has one query per name in flight, and repeats it after the TTL', async () => {
    const zone: Zone = { 'a.example/A': { records: [rdata.a('192.0.2.1')], ttl: 0 }, 'a.example/AAAA': NXDOMAIN };
    const resolver = new DnsResolver({ servers: [await nameServer(zone)], hostsFile: NO_HOSTS });
    await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('a.example')));
    expect(server!.asked.filter((question) => question === 'a.example/A')).toHaveLength(1);
    zone['a.example/A'] = { records: [rdata.a('192.0.2.9')], ttl: 0 };
    let now = await resolver.resolve('a.example');
    while (now[0] !== '192.0.2.9') now = await resolver.resolve('a.example'); // A TTL of 0 is cached for 1 s.
  });

  it('does not cache failures', async () => {
    const zone: Zone = { 'a.example/A': SERVFAIL, 'a.example/AAAA': SERVFAIL };
    const resolver = new DnsResolver({ servers: [await nameServer(zone)], tries: 1, hostsFile: NO_HOSTS });
    await expect(resolver.resolve('a.example')).rejects.toMatchObject({ code: 'dns_failed' });
    zone['a.example/A'] = { records: [rdata.a('192.0.2.1')], ttl: 60 };
    await expect(resolver.resolve('a.example')).resolves.toEqual(['192.0.2.1']);
  });

  it('keeps IPv4 addresses for their TTL although the query for IPv6 failed', async () => {
    const zone: Zone = { 'a.example/A': { records: [rdata.a('192.0.2.1')], ttl: 300 }, 'a.example/AAAA': SERVFAIL };
    const resolver = new DnsResolver({ servers: [await nameServer(zone)], tries: 1, hostsFile: NO_HOSTS });
    expect(await resolver.resolve('a.example')).toEqual(['192.0.2.1']);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 299_000);
    zone['a.example/A'] = SERVFAIL;
    expect(await resolver.resolve('a.example')).toEqual(['192.0.2.1']);
  });

  it('soon repeats the queries if that for IPv4 addresses failed', async () => {
    const zone: Zone = { 'a.example/A': SERVFAIL, 'a.example/AAAA': { records: [IPV6], ttl: 300 } };
    const resolver = new DnsResolver({ servers: [await nameServer(zone)], tries: 1, hostsFile: NO_HOSTS });
    expect(await resolver.resolve('a.example')).toEqual(['2001:db8::1']);
    zone['a.example/A'] = { records: [rdata.a('192.0.2.1')], ttl: 300 };
    await eventually(async () => expect(await resolver.resolve('a.example')).toContain('192.0.2.1'));
  });

  it('resolves a name while a hundred others never get a response', async () => {
    const at = await nameServer({
      'fast.example/A': { records: [rdata.a('192.0.2.1')], ttl: 60 },
      'fast.example/AAAA': NXDOMAIN,
    });
    const resolver = new DnsResolver({ servers: [at], timeoutMs: 1_000, tries: 1, hostsFile: NO_HOSTS });
    const slow = Promise.allSettled(Array.from({ length: 100 }, (_, i) => resolver.resolve(`slow${i}.example`)));
    const { tookMs } = await timed(() => resolver.resolve('fast.example'));
    expect(tookMs).toBeLessThan(500);
    await slow;
  });

  it('resolves localhost and names in the hosts file without a server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    await writeFile(join(folder, 'hosts'), '192.0.2.7 intranet\n');
    const resolver = new DnsResolver({ servers: ['127.0.0.1:9'], hostsFile: new HostsFile(join(folder, 'hosts')) });
    await expect(resolver.resolve('intranet')).resolves.toEqual(['192.0.2.7']);
    await expect(resolver.resolve('a.localhost')).resolves.toEqual(['127.0.0.1', '::1']);
    await rm(folder, { recursive: true });
  });
});

it('parseHostsFile returns the addresses by lower-case name', () => {
  const names = parseHostsFile(
    '# all\n127.0.0.1\tlocalhost Box # me\n::1 localhost\r\n  10.0.0.1 db db.lan\nnonsense here\n\n10.0.0.2',
  );
  expect([...names]).toEqual([
    ['localhost', ['127.0.0.1', '::1']],
    ['box', ['127.0.0.1']],
    ['db', ['10.0.0.1']],
    ['db.lan', ['10.0.0.1']],
  ]);
});
