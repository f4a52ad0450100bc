import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { makeCertificate } from '../../../test/support/certificates.js';
import { problemsOf } from '../../../test/support/field-problems.js';
import { httpProbe } from '../http.probe.js';
import { HttpFields } from './http-fields.dto.js';
import { completeSettings } from './http-settings.js';

const url = 'https://example.com/';
const proxyUrl = 'http://proxy.example.com:3128';
const { cert: clientCertificate, key: clientKey } = makeCertificate('client', Date.now() - 1_000, Date.now() + 60_000);
const encrypted = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'geheim' },
}).privateKey;
const field = { name: 'a', value: 'b' };

describe('HttpSettings', () => {
  it.each<object | null>([
    null,
    {},
    { ipVersion: 4, http2: true },
    { ipVersion: null, form: null, clientCertificate: null, clientKey: null, proxyUrl: null },
    { form: { encoding: 'urlencoded', fields: [field, field] } },
    { form: { encoding: 'multipart', fields: [{ ...field, fileName: 'a.txt' }] } },
    { clientCertificate, clientKey },
    { clientCertificate: clientCertificate + clientCertificate, clientKey: '********' },
    { clientCertificate: null, clientKey: '********', proxyUrl: null, proxyPassword: '********' },
    { proxyUrl, proxyUsername: 'u', proxyPassword: 'p:p' },
  ])('accepts %j', (settings) => expect(problemsOf(HttpFields, { url, settings })).toEqual([]));

  it.each<[object, string]>([
    [{ ipVersion: 5 }, '/settings/ipVersion invalid_value'],
    [{ ipVersion: 7 }, '/settings/ipVersion max'],
    [{ ipVersion: '4' }, '/settings/ipVersion isInt'],
    [{ http2: null }, '/settings/http2 isBoolean'],
    [{ form: [] }, '/settings/form isObject'],
    [{ form: { fields: [field] } }, '/settings/form/encoding isIn'],
    [{ form: { encoding: 'urlencoded' } }, '/settings/form/fields isArray'],
    [{ form: { encoding: 'urlencoded', fields: [] } }, '/settings/form/fields arrayNotEmpty'],
    [{ form: { encoding: 'urlencoded', fields: Array(51).fill(field) } }, '/settings/form/fields arrayMaxSize'],
    [{ form: { encoding: 'urlencoded', fields: [{ name: '', value: '' }] } }, '/settings/form/fields/0/name isLength'],
    [
      { form: { encoding: 'multipart', fields: [{ name: 'a', value: 'x'.repeat(65_536) }] } },
      '/settings/form/fields too_long',
    ],
    [
      { form: { encoding: 'urlencoded', fields: [{ ...field, fileName: 'a' }] } },
      '/settings/form/encoding invalid_value',
    ],
    [{ clientCertificate }, '/settings/clientCertificate invalid_value'],
    [{ clientCertificate: 'x', clientKey }, '/settings/clientCertificate invalid_value'],
    [{ clientKey }, '/settings/clientKey invalid_value'],
    [{ clientCertificate, clientKey: 'x' }, '/settings/clientKey invalid_value'],
    [{ clientCertificate, clientKey: encrypted }, '/settings/clientKey invalid_value'],
    [{ proxyUrl: 'https://proxy.example.com' }, '/settings/proxyUrl invalid_value'],
    [{ proxyUrl: 'socks5://proxy.example.com' }, '/settings/proxyUrl invalid_value'],
    [{ proxyUrl: 'http://u:p@proxy.example.com' }, '/settings/proxyUrl invalid_value'],
    [{ proxyUrl: 'http://proxy.example.com/a' }, '/settings/proxyUrl invalid_value'],
    [{ proxyUsername: 'u' }, '/settings/proxyUsername invalid_value'],
    [{ proxyUrl, proxyUsername: 'u:v' }, '/settings/proxyUsername invalid_value'],
    [{ proxyPassword: 'p' }, '/settings/proxyPassword invalid_value'],
    [{ proxyUrl, proxyPassword: 'a\r\nb' }, '/settings/proxyPassword invalid_value'],
  ])('rejects %j with %s', (settings, problem) => expect(problemsOf(HttpFields, { url, settings })).toContain(problem));

  it.each<[object]>([[{ body: 'x' }], [{ headers: { 'content-type': 'text/plain' } }]])(
    'rejects a form together with %j',
    (other) => {
      const settings = { form: { encoding: 'urlencoded', fields: [field] } };
      expect(problemsOf(HttpFields, { url, settings, ...other })).toEqual(['/settings invalid_value']);
    },
  );
});

describe('completeSettings', () => {
  it('is null without anything unusual, and otherwise has all members', () => {
    expect(completeSettings(undefined)).toBeNull();
    expect(completeSettings({ ipVersion: null, http2: false })).toBeNull();
    expect(completeSettings({ http2: true })).toEqual({
      ipVersion: null,
      http2: true,
      form: null,
      clientCertificate: null,
      clientKey: null,
      proxyUrl: null,
      proxyUsername: null,
      proxyPassword: null,
    });
  });

  it('drops the secrets of what is absent', () => {
    expect(completeSettings({ clientKey: '********', proxyUsername: 'u', proxyPassword: '********' })).toBeNull();
  });
});

describe('the secrets of HTTP settings', () => {
  it('are the private key and the password of the proxy', () => {
    const settings = { clientCertificate, clientKey, proxyUrl, proxyUsername: 'u', proxyPassword: 'p' };
    expect(httpProbe.secretPaths({ url, settings })).toEqual([
      ['settings', 'clientKey'],
      ['settings', 'proxyPassword'],
    ]);
  });

  it('are sent again when the proxy changes', () => {
    const scopes = [null, { proxyUrl }, { proxyUrl: 'http://other.example.com' }].map((settings) =>
      httpProbe.secretScope({ url, settings }, []),
    );
    expect(new Set(scopes).size).toBe(3);
    expect(httpProbe.hosts({ url, settings: { proxyUrl } })).toContainEqual({
      pointer: '/settings/proxyUrl',
      host: 'proxy.example.com',
    });
  });
});
