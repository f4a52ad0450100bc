import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../../test/support/field-problems.js';
import { DnsFields } from './dns-fields.dto.js';

describe('DnsFields', () => {
  const host = 'example.com';
  const settings = { recordType: 'MX' };
  it.each<object>([
    { host, settings },
    { host: '_sip._tcp.example.com', settings: { recordType: 'SRV', nameserver: null } },
    { host: '_dmarc.example.com.', settings: { recordType: 'TXT', nameserver: '192.0.2.53:5353' } },
    { host: '192.0.2.53', settings: { recordType: 'PTR', nameserver: '[2001:db8::53]:53' } },
    { host, settings, assertions: [{ source: 'dnsRecord', comparison: 'contains', target: 'mail' }] },
    { host, settings, assertions: [{ source: 'dnsRecord', property: 'mx', comparison: 'equals', target: 'x' }] },
    { host, settings, assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 50 }] },
  ])('accepts %j', (fields) => expect(problemsOf(DnsFields, fields)).toEqual([]));

  it.each<[object, string]>([
    [{ settings }, '/host isString'],
    [{ host: '', settings }, '/host invalid_value'],
    [{ host: '-h', settings }, '/host invalid_value'],
    [{ host: 'a b', settings }, '/host invalid_value'],
    [{ host: '$(id)', settings }, '/host invalid_value'],
    [{ host: '127.0.0.1', settings }, '/host invalid_value'],
    [{ host: '2130706433', settings }, '/host invalid_value'],
    [{ host: '127。0。0。1', settings }, '/host invalid_value'],
    [{ host: '127.0.0.1.', settings }, '/host invalid_value'],
    [{ host: '::1', settings }, '/host invalid_value'],
    [{ host: '0x7f.1', settings: { recordType: 'PTR' } }, '/host invalid_value'],
    [{ host }, '/settings isObject'],
    [{ host, settings: [] }, '/settings isObject'],
    [{ host, settings: {} }, '/settings/recordType isIn'],
    [{ host, settings: { recordType: 'mx' } }, '/settings/recordType isIn'],
    [{ host, settings: { recordType: 'ANY' } }, '/settings/recordType isIn'],
    [{ host, settings: { recordType: 'toString' } }, '/settings/recordType isIn'],
    [{ host, settings: { ...settings, nameserver: 'ns1.example.com' } }, '/settings/nameserver invalid_value'],
    [{ host, settings: { ...settings, nameserver: '0x7f.1' } }, '/settings/nameserver invalid_value'],
    [{ host, settings: { ...settings, nameserver: '' } }, '/settings/nameserver invalid_value'],
    [{ host, settings: { ...settings, nameserver: 53 } }, '/settings/nameserver isString'],
    [{ host, settings: { ...settings, port: 53 } }, '/settings/port whitelistValidation'],
    [{ host, settings, port: 53 }, '/port whitelistValidation'],
    [
      { host, settings, assertions: [{ source: 'textBody', comparison: 'isEmpty' }] },
      '/assertions/0/source invalid_value',
    ],
    [
      { host, settings, assertions: [{ source: 'dnsRecord', property: 'A', comparison: 'exists' }] },
      '/assertions invalid_value',
    ],
  ])('rejects %j with %s', (fields, problem) => expect(problemsOf(DnsFields, fields)).toContain(problem));
});
