import { type ProbeDefinition } from './probe.js';
import { checkHttp, type HttpDefinition } from './http/http-check.js';
import { HttpFields } from './http/http-fields.dto.js';
import { HTTP_FORM } from './http/http-form.js';
import { httpSecretPaths } from './http/http-fields.rules.js';
import { completeSettings } from './http/http-settings.js';

export { HttpFields };

const defaults = {
  method: 'GET',
  headers: {},
  secretHeaders: [],
  body: null,
  auth: null,
  followRedirects: true,
  maxRedirects: 10,
  verifyTls: true,
  expectedStatusCodes: ['2xx'],
  settings: null,
  assertions: [],
} satisfies Omit<HttpDefinition, 'url'>;

/** Returns the fields with defaults. Does not use spread syntax, which takes ten times as long. */
const complete = (fields: HttpFields): HttpDefinition => Object.assign({}, defaults, fields);

export const httpProbe: ProbeDefinition<HttpFields> = {
  type: 'http',
  label: 'HTTP',
  summary: 'Requests a URL on a new connection and evaluates the response: status, headers, body, time, certificate.',
  example: { key: 'checkout-api', name: 'Checkout API', url: 'https://example.com/' },
  fields: HttpFields,
  defaults,
  form: HTTP_FORM,
  /** Omits the query, which often contains tokens. */
  target({ url }) {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  },
  hosts: (fields) => {
    return addressesOf(fields).map(({ pointer, address }) => ({ pointer, host: new URL(address).hostname }));
  },
  secretPaths: httpSecretPaths,
  secretScope: (fields) => {
    return addressesOf(fields)
      .map(({ pointer, address }) => (pointer === '/url' ? new URL(address).origin : address))
      .join(' ');
  },
  complete: (fields) => ({ ...fields, settings: completeSettings(fields.settings) }),
  probe: (fields, context) => checkHttp(complete(fields), context),
};

/** Returns the addresses to which requests, and with them secrets, are sent. */
function addressesOf({ url, auth, settings }: HttpFields): { pointer: string; address: string }[] {
  const tokenUrl = auth && 'tokenUrl' in auth ? auth.tokenUrl : null;
  return [
    { pointer: '/url', address: url },
    { pointer: '/auth/tokenUrl', address: tokenUrl },
    { pointer: '/settings/proxyUrl', address: settings?.proxyUrl },
  ].filter((one): one is { pointer: string; address: string } => one.address != null);
}
