import { describe, expect, it } from '@jest/globals';
import { type CaaRecord } from 'node:dns';
import { caaText, mxText, nameText, soaText, srvText, txtText } from './record-text.js';

describe('texts of DNS records', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['', '.'],
    ['.', '.'],
    ['a\\.', 'a\\.'],
  ])('name %j: %s', (name, text) => expect(nameText(name)).toBe(text));

  it.each([
    [10, 'Mail.Example.com', '10 mail.example.com'],
    [0, '', '0 .'],
  ])('MX %d %j: %s', (priority, exchange, text) => expect(mxText({ priority, exchange })).toBe(text));

  it('SRV', () => {
    expect(srvText({ priority: 10, weight: 60, port: 5060, name: 'SIP.example.com' })).toBe(
      '10 60 5060 sip.example.com',
    );
  });

  it('SOA', () => {
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
  ])('TXT %j: %j', (strings, text) => expect(txtText(strings)).toBe(text));

  // As c-ares gives them: a tag may be any word, also that of the flags.
  it.each<[Record<string, unknown>, string]>([
    [{ critical: 0, issue: 'letsencrypt.org' }, '0 issue "letsencrypt.org"'],
    [{ critical: 128, IssueWild: ';' }, '128 issuewild ";"'],
    [{ critical: 0, iodef: 'mailto:"a\\b"@example.com' }, '0 iodef "mailto:\\"a\\\\b\\"@example.com"'],
    [{ critical: 0 }, '0  ""'],
    [{ type: 'CAA', critical: 0, issue: 'letsencrypt.org' }, '0 issue "letsencrypt.org"'],
    [{ critical: 0, issue: 'letsencrypt.org', type: 'CAA' }, '0 issue "letsencrypt.org"'],
  ])('CAA %j: %s', (record, text) => expect(caaText(record as unknown as CaaRecord)).toBe(text));
});
