import { describe, expect, it } from '@jest/globals';
import { type CaaRecord } from 'node:dns';
import { caaText, mxText, nameText, soaText, srvText, txtText } from './record-text.js';

describe('the text of a DNS record', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['', '.'],
    ['.', '.'],
    ['a\\.', 'a\\.'],
  ])('is, for the name %j, %s', (name, text) => expect(nameText(name)).toBe(text));

  it.each([
    [10, 'Mail.Example.com', '10 mail.example.com'],
    [0, '', '0 .'],
  ])('is, for MX %d %j, %s', (priority, exchange, text) => expect(mxText({ priority, exchange })).toBe(text));

  it('contains priority, weight, port and target of SRV', () => {
    expect(srvText({ priority: 10, weight: 60, port: 5060, name: 'SIP.example.com' })).toBe(
      '10 60 5060 sip.example.com',
    );
  });

  it('contains the members of SOA in the order of zone files', () => {
    const numbers = { serial: 4_294_967_295, refresh: 7_200, retry: 3_600, expire: 1_209_600, minttl: 300 };
    expect(soaText({ nsname: 'NS1.example', hostmaster: 'admin.example', ...numbers })).toBe(
      'ns1.example admin.example 4294967295 7200 3600 1209600 300',
    );
  });

  it.each<[string[], string]>([
    [['v=spf1 ', 'include:Example.com -all'], 'v=spf1 include:Example.com -all'],
    [['say "hi"'], 'say "hi"'],
    [[Buffer.from('grüße 🙂').toString('latin1')], 'grüße 🙂'],
    [['a\0b\n\x7f'], 'a\\000b\\010\\127'],
    [['\xff'], '�'],
    [[], ''],
  ])('is, for TXT %j, %j', (strings, text) => expect(txtText(strings)).toBe(text));

  // Records as c-ares returns them: a tag may be any word, even `critical`.
  it.each<[Record<string, unknown>, string]>([
    [{ critical: 0, issue: 'letsencrypt.org' }, '0 issue "letsencrypt.org"'],
    [{ critical: 128, IssueWild: ';' }, '128 issuewild ";"'],
    [{ critical: 0, iodef: 'mailto:"a\\b"@example.com' }, '0 iodef "mailto:\\"a\\\\b\\"@example.com"'],
    [{ critical: 0 }, '0  ""'],
    [{ type: 'CAA', critical: 0, issue: 'letsencrypt.org' }, '0 issue "letsencrypt.org"'],
    [{ critical: 0, issue: 'letsencrypt.org', type: 'CAA' }, '0 issue "letsencrypt.org"'],
  ])('is, for CAA %j, %s', (record, text) => expect(caaText(record as unknown as CaaRecord)).toBe(text));
});
