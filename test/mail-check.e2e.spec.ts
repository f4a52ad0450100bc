import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { type CommandOutcome, runCommandProcess } from './support/command-run.js';
import { type NameServer, NXDOMAIN, rdata, SERVFAIL, startNameServer, type Zone } from './support/name-server.js';

const SETTINGS = {
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'Daywatch <alerts@Example.com>',
  SUBSCRIBER_MAIL_FROM: 'status@status.example.org',
};
const key = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const KEY = key(2_048);
/** A key does not fit into one string of a TXT record. */
const dkim = (text = KEY): Buffer[] => [rdata.txt('v=DKIM1; k=rsa; p=', text.slice(0, 200), text.slice(200))];
const txt = (...texts: string[]): Buffer[] => texts.map((text) => rdata.txt(text));

const COMPLETE: Zone = {
  'example.com/TXT': txt('v=spf1 include:_spf.mail.test ~all', 'site-verification=1'),
  's1._domainkey.example.com/TXT': dkim(),
  '_dmarc.example.com/TXT': txt('v=DMARC1; p=reject'),
  'status.example.org/TXT': txt('v=spf1 mx -all'),
  's1._domainkey.status.example.org/TXT': NXDOMAIN,
  's2._domainkey.status.example.org/TXT': dkim(),
  's2._domainkey.example.com/TXT': NXDOMAIN,
  '_dmarc.status.example.org/TXT': NXDOMAIN,
  '_dmarc.example.org/TXT': txt('v=DMARC1; p=none; sp=quarantine'),
};

let names: NameServer;
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.close());
beforeEach(() => {
  names.zone = COMPLETE;
});

const SELECTORS = ['--selector', 's1', '--selector', 's2'];
const check = (args = SELECTORS, settings: Record<string, string> = SETTINGS): Promise<CommandOutcome> =>
  runCommandProcess('mail-check', [...args, '--server', names.at], settings);
const linesOf = ({ stdout }: CommandOutcome): string[] => stdout.trimEnd().split('\n');

describe('mail:check', () => {
  it('verifies both senders, and finds the policy of the domain above', async () => {
    const outcome = await check();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(linesOf(outcome)).toEqual([
      'OK      SPF   example.com: "v=spf1 include:_spf.mail.test ~all"',
      'OK      DKIM  example.com: s1._domainkey.example.com has a 2048-bit RSA key',
      'OK      DMARC example.com: "v=DMARC1; p=reject"',
      'OK      SPF   status.example.org: "v=spf1 mx -all"',
      'OK      DKIM  status.example.org: s2._domainkey.status.example.org has a 2048-bit RSA key',
      'OK      DMARC status.example.org: "v=DMARC1; p=none; sp=quarantine" at _dmarc.example.org',
    ]);
  });

  it.each<[string, Zone, string, string]>([
    ['SPF', { 'example.com/TXT': txt('other') }, 'SPF  ', 'Publish one as a TXT record at example.com'],
    [
      'one SPF record',
      { 'example.com/TXT': txt('v=spf1 mx ~all', 'v=spf1 a ~all') },
      'SPF  ',
      'There are 2 SPF records',
    ],
    [
      'DKIM',
      { 's1._domainkey.example.com/TXT': NXDOMAIN },
      'DKIM ',
      'Publish the key that your mail server or provider shows for this selector as a TXT record at s1._domainkey.example.com',
    ],
    ['a whole DKIM key', { 's1._domainkey.example.com/TXT': dkim(KEY.slice(0, 300)) }, 'DKIM ', 'is malformed'],
    [
      'DMARC',
      { '_dmarc.example.com/TXT': NXDOMAIN },
      'DMARC',
      'Publish a TXT record at _dmarc.example.com, such as "v=DMARC1; p=quarantine; rua=mailto:postmaster@example.com"',
    ],
  ])('exits with 1 without %s, and states what to publish', async (_, zone, name, text) => {
    names.zone = { ...COMPLETE, ...zone };
    const outcome = await check();
    expect(outcome).toMatchObject({ code: 1, stderr: '1 check failed.\n' });
    const failed = linesOf(outcome).filter((line) => !line.startsWith('OK'));
    expect(failed).toEqual([expect.stringContaining(`FAILED  ${name} example.com: `)]);
    expect(failed[0]).toContain(text);
  });

  it.each<[string, Zone, string]>([
    ['a DMARC policy of none', { '_dmarc.example.com/TXT': txt('v=DMARC1; p=none') }, 'set p=quarantine'],
    [
      'a short key',
      { 's1._domainkey.example.com/TXT': dkim(key(1_024)) },
      'has 1024 bits. At least 2,048 are recommended.',
    ],
  ])('warns of %s', async (_, zone, text) => {
    names.zone = { ...COMPLETE, ...zone };
    const outcome = await check();
    expect(outcome.code).toBe(0);
    const others = linesOf(outcome).filter((line) => !line.startsWith('OK'));
    expect(others).toEqual([expect.stringMatching(/^WARNING /)]);
    expect(others[0]).toContain(text);
  });

  it('exits with 75 if the DNS does not answer, and still runs the other checks', async () => {
    names.zone = { ...COMPLETE, 'status.example.org/TXT': SERVFAIL };
    delete (names.zone = { ...names.zone })['_dmarc.example.com/TXT'];
    const outcome = await check([...SELECTORS, '--timeout', '1']);
    expect(outcome).toMatchObject({ code: 75, stderr: '' });
    const unknown = linesOf(outcome).filter((line) => !line.startsWith('OK'));
    expect(unknown).toEqual([
      expect.stringMatching(/^UNKNOWN DMARC example\.com: The DNS query timed out\./),
      expect.stringMatching(/^UNKNOWN SPF {3}status\.example\.org: The name server returned no usable answer/),
    ]);
  });

  it('checks a sender once, and needs a selector', async () => {
    const outcome = await check([], { SMTP_URL: SETTINGS.SMTP_URL, MAIL_FROM: 'a@example.com' });
    expect(outcome.code).toBe(1);
    expect(linesOf(outcome)).toHaveLength(3);
    expect(outcome.stdout).toContain('FAILED  DKIM  example.com: Specify the selector with --selector');
  });

  it.each<[string, string[], Record<string, string>, number, string]>([
    ['a sender', [], {}, 1, 'No sender is configured: set SMTP_URL and MAIL_FROM.'],
    ['valid settings', [], { MAIL_FROM: 'x' }, 78, 'MAIL_FROM must be an email address'],
    ['a domain', [], { ...SETTINGS, MAIL_FROM: 'root@127.0.0.1' }, 1, '"127.0.0.1" is not a valid domain name'],
    ['a valid selector', ['--selector', 'a b'], SETTINGS, 1, '"a b" is not a DKIM selector.'],
    ['a valid server', ['--server', 'dns.test'], SETTINGS, 1, '--server must be an IP address'],
    ['a valid time limit', ['--timeout', '0'], SETTINGS, 1, '--timeout must be a number of seconds'],
    ['known options', ['--selectors', 'x'], SETTINGS, 1, "Unknown option '--selectors'"],
  ])('refuses to run without %s', async (_, args, settings, code, text) => {
    const outcome = await runCommandProcess('mail-check', args, settings);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(text) });
  });
});
