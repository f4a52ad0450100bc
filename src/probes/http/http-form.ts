import { type ControlTexts, choicesOf, type FormField, yesNoField } from '../../domain/form-field.js';
import { type ProbeForm, VERIFY_TLS } from '../probe-form.js';
import { HTTP_METHODS, HttpAssertion } from './http-fields.dto.js';

/** The form controls of headers. */
export const HEADERS_FIELDS: readonly FormField[] = [
  {
    pointer: '/headers',
    label: 'Headers',
    kind: 'headers',
    lines: 4,
    help: 'One per line, for example Accept: application/json. ******** keeps a stored secret.',
    brief: (texts) => headersWord(texts('headers')),
  },
  {
    pointer: '/secretHeaders',
    label: 'Secret headers',
    kind: 'list',
    help: 'Comma-separated names, for example X-Internal. Headers such as Authorization and X-Api-Key are always secret.',
  },
];

/** The form controls of an HTTP monitor. */
export const HTTP_FORM: ProbeForm = {
  gist: 'A website or an API',
  essential: [
    {
      pointer: '/url',
      label: 'URL',
      kind: 'url',
      required: true,
      help: 'If the scheme is omitted, https:// is used. Add credentials under Authentication.',
    },
  ],
  request: [
    {
      pointer: '/method',
      label: 'Method',
      kind: 'text',
      choices: choicesOf(HTTP_METHODS),
      brief: (texts) => texts('method'),
    },
    ...HEADERS_FIELDS,
    {
      pointer: '/body',
      label: 'Body',
      kind: 'text',
      lines: 4,
      help: 'Set its Content-Type under Headers.',
      brief: (texts) => (texts('body') === '' ? null : 'with a body'),
    },
    { ...yesNoField('/followRedirects', 'Follow redirects'), brief: redirectsWord },
    { pointer: '/maxRedirects', label: 'Max redirects', kind: 'integer', help: '0 to 20. Default: 10.' },
    VERIFY_TLS,
    {
      pointer: '/settings/ipVersion',
      label: 'IP version',
      kind: 'integer',
      choices: [
        { value: '', label: 'Either' },
        { value: '4', label: 'IPv4' },
        { value: '6', label: 'IPv6' },
      ],
      brief: (texts) => (texts('ipVersion') === '' ? null : `IPv${texts('ipVersion')} only`),
    },
    {
      pointer: '/settings/http2',
      label: 'HTTP version',
      kind: 'boolean',
      choices: [
        { value: 'false', label: 'HTTP/1.1' },
        { value: 'true', label: 'HTTP/2 if the server offers it' },
      ],
      brief: (texts) => (texts('http2') === 'true' ? 'HTTP/2' : null),
    },
    {
      pointer: '/settings/form',
      label: 'Form',
      kind: 'json',
      lines: 3,
      help: 'Sent instead of a body, for example {"encoding": "urlencoded", "fields": [{"name": "q", "value": "shoes"}]}.',
      brief: (texts) => (texts('form') === '' ? null : 'with a form'),
    },
    {
      pointer: '/settings/clientCertificate',
      label: 'Client certificate',
      kind: 'text',
      lines: 3,
      help: 'In PEM, if the server asks for one.',
      brief: (texts) => (texts('clientCertificate') === '' ? null : 'with a client certificate'),
    },
    {
      pointer: '/settings/clientKey',
      label: 'Private key',
      kind: 'text',
      lines: 3,
      secret: true,
      help: 'Of the client certificate, in PEM, not encrypted.',
    },
    {
      pointer: '/settings/proxyUrl',
      label: 'Proxy',
      kind: 'text',
      help: 'For example http://proxy.example.com:3128.',
      brief: (texts) => (texts('proxyUrl') === '' ? null : 'through a proxy'),
    },
    { pointer: '/settings/proxyUsername', label: 'Proxy username', kind: 'text' },
    { pointer: '/settings/proxyPassword', label: 'Proxy password', kind: 'text', secret: true },
  ],
  takesAuth: true,
  judged: [
    {
      pointer: '/expectedStatusCodes',
      label: 'Accepted status codes',
      kind: 'statusCodes',
      help: 'Comma-separated codes, classes and ranges: 2xx, 301, 400-404.',
      brief: (texts) => `accepts ${texts('expectedStatusCodes') || '2xx'}`,
    },
  ],
  sources: HttpAssertion.sources,
};

function headersWord(text: string): string {
  const count = text.split('\n').filter((line) => line.trim() !== '').length;
  return count === 0 ? 'no headers' : `${count} header${count === 1 ? '' : 's'}`;
}

function redirectsWord(texts: ControlTexts): string {
  const most = texts('maxRedirects') || '10';
  if (texts('followRedirects') === 'false' || most === '0') return 'follows no redirects';
  return `follows up to ${most} redirect${most === '1' ? '' : 's'}`;
}
