import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../../test/support/field-problems.js';
import { TcpFields } from '../tcp.probe.js';
import { HttpFields } from './http-fields.dto.js';

const url = 'https://example.com/';
const assertion = { source: 'statusCode', comparison: 'equals', target: 200 };

describe('HttpFields', () => {
  it.each<object>([
    { url },
    { url: 'HTTP://EXAMPLE.com:8080/a?b=c@d#e' },
    { url: 'http://[2001:db8::1]:81/' },
    { url: 'http://bücher.example/' },
    { url: `https://example.com/${'a'.repeat(2_028)}` },
    { url, method: 'PATCH', body: 'x'.repeat(65_536), headers: { Host: 'v.example', 'X-A': '' } },
    { url, body: null, auth: null },
    { url, auth: { type: 'basic', username: 'u', password: '' } },
    { url, auth: { type: 'bearer', token: '********' }, headers: { 'X-Api-Key': '********' } },
    { url, followRedirects: false, maxRedirects: 0, verifyTls: false },
    { url, maxRedirects: 20, expectedStatusCodes: ['2xx', '200-299', 301, '404'] },
    { url, assertions: [] },
    { url, assertions: Array(20).fill(assertion) },
    { url, headers: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`X-${i}`, 'v'])) },
  ])('accepts %j', (fields) => expect(problemsOf(HttpFields, fields)).toEqual([]));

  it.each<[object, string]>([
    [{}, '/url isString'],
    [{ url: 5 }, '/url isString'],
    [{ url: '' }, '/url invalid_value'],
    [{ url: 'example.com' }, '/url invalid_value'],
    [{ url: 'ftp://example.com' }, '/url invalid_value'],
    [{ url: 'file:///etc/passwd' }, '/url invalid_value'],
    [{ url: 'javascript:alert(1)' }, '/url invalid_value'],
    [{ url: 'http:example.com' }, '/url invalid_value'],
    [{ url: 'http:///example.com' }, '/url invalid_value'],
    [{ url: 'http://' }, '/url invalid_value'],
    [{ url: ' http://example.com' }, '/url invalid_value'],
    [{ url: 'http://exa\tmple.com' }, '/url invalid_value'],
    [{ url: 'http://example.com/\r\nX: y' }, '/url invalid_value'],
    [{ url: 'http://example.com\\@127.0.0.1/' }, '/url invalid_value'],
    [{ url: 'http://user:pass@example.com/' }, '/url invalid_value'],
    [{ url: 'http://user@example.com/' }, '/url invalid_value'],
    [{ url: 'http://@example.com/' }, '/url invalid_value'],
    [{ url: 'http://127.0.0.1 @example.com/' }, '/url invalid_value'],
    [{ url: 'http://256.0.0.1/' }, '/url invalid_value'],
    [{ url: 'http://example.com:0/' }, '/url invalid_value'],
    [{ url: 'http://example.com:99999/' }, '/url invalid_value'],
    [{ url: 'http://-a.example/' }, '/url invalid_value'],
    [{ url: 'http://a$b.example/' }, '/url invalid_value'],
    [{ url: `https://example.com/${'a'.repeat(2_029)}` }, '/url maxLength'],
    [{ url, method: 'TRACE' }, '/method isIn'],
    [{ url, method: 'get' }, '/method isIn'],
    [{ url, method: null }, '/method isIn'],
    [{ url, headers: null }, '/headers isObject'],
    [{ url, headers: { a: 1 } }, '/headers invalid_type'],
    [{ url, headers: { a: ['x'] } }, '/headers invalid_type'],
    [{ url, headers: { 'a b': 'x' } }, '/headers invalid_value'],
    [{ url, headers: { 'a\r\nb': 'x' } }, '/headers invalid_value'],
    [{ url, headers: { '': 'x' } }, '/headers invalid_value'],
    [{ url, headers: { a: 'x\r\ny: z' } }, '/headers invalid_value'],
    [{ url, headers: { a: 'x\0' } }, '/headers invalid_value'],
    [{ url, headers: { a: '€' } }, '/headers invalid_value'],
    [{ url, headers: { a: 'x', A: 'y' } }, '/headers invalid_value'],
    [{ url, headers: { 'content-length': '1' } }, '/headers invalid_value'],
    [{ url, headers: { 'Transfer-Encoding': 'chunked' } }, '/headers invalid_value'],
    [{ url, headers: { connection: 'close' } }, '/headers invalid_value'],
    [{ url, headers: { a: 'x'.repeat(8_193) } }, '/headers too_long'],
    [
      { url, headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, 'v'])) },
      '/headers out_of_range',
    ],
    [{ url, body: 'ä'.repeat(32_769) }, '/body too_long'],
    [{ url, body: { a: 1 } }, '/body isString'],
    [{ url, auth: { type: 'digest' } }, '/auth/type isIn'],
    [{ url, auth: 'basic' }, '/auth isObject'],
    [{ url, auth: [null] }, '/auth isObject'],
    [{ url, auth: { type: 'toString' } }, '/auth/type isIn'],
    [{ url, auth: { type: 'basic', username: 'a:b', password: 'p' } }, '/auth/username matches'],
    [{ url, auth: { type: 'bearer', token: 'a b' } }, '/auth/token matches'],
    [{ url, auth: { type: 'bearer', token: 't', password: 'p' } }, '/auth/password whitelistValidation'],
    [{ url, auth: { type: 'bearer', token: 't' }, headers: { authorization: 'x' } }, '/auth invalid_value'],
    [{ url, followRedirects: 'true' }, '/followRedirects isBoolean'],
    [{ url, maxRedirects: 21 }, '/maxRedirects max'],
    [{ url, maxRedirects: -1 }, '/maxRedirects min'],
    [{ url, maxRedirects: 1.5 }, '/maxRedirects isInt'],
    [{ url, expectedStatusCodes: [] }, '/expectedStatusCodes arrayNotEmpty'],
    ...['6xx', '99', '600', '299-200', '2x', '200-', '', 200.5, 99, null, {}].map((code): [object, string] => [
      { url, expectedStatusCodes: ['2xx', code] },
      '/expectedStatusCodes invalid_value',
    ]),
    [{ url, assertions: Array(21).fill(assertion) }, '/assertions arrayMaxSize'],
    [{ url, assertions: [assertion, { ...assertion, target: 'x' }] }, '/assertions/1/target invalid_type'],
    [{ url, assertions: [{ source: 'dnsRecord', comparison: 'exists' }] }, '/assertions/0/source invalid_value'],
    [{ url, assertions: [{ ...assertion, extra: 1 }] }, '/assertions/0/extra whitelistValidation'],
    [{ url, port: 80 }, '/port whitelistValidation'],
  ])('rejects %j with %s', (fields, problem) => expect(problemsOf(HttpFields, fields)).toContain(problem));
});

describe('TcpFields', () => {
  it.each([
    { host: 'example.com', port: 1 },
    { host: '::1', port: 65_535 },
    { host: '127.0.0.1', port: 22, assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 9 }] },
  ])('accepts %j', (fields) => expect(problemsOf(TcpFields, fields)).toEqual([]));

  it.each<[object, string]>([
    [{ host: '-oProxyCommand=id', port: 1 }, '/host invalid_value'],
    [{ host: 'a;id', port: 1 }, '/host invalid_value'],
    [{ host: '$(id)', port: 1 }, '/host invalid_value'],
    [{ host: 'http://a', port: 1 }, '/host invalid_value'],
    [{ host: 'a:1', port: 1 }, '/host invalid_value'],
    [{ host: ['a'], port: 1 }, '/host isString'],
    [{ host: 'a', port: 0 }, '/port min'],
    [{ host: 'a', port: 65_536 }, '/port max'],
    [{ host: 'a', port: '80' }, '/port isInt'],
    [{ host: 'a' }, '/port isInt'],
    [{ host: 'a', port: 1, assertions: [assertion] }, '/assertions/0/source invalid_value'],
  ])('rejects %j with %s', (fields, problem) => expect(problemsOf(TcpFields, fields)).toContain(problem));
});
