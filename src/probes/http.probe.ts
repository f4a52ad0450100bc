import { type ProbeDefinition } from './probe.js';
import { checkHttp, type HttpDefinition } from './http/http-check.js';
import { HttpFields } from './http/http-fields.dto.js';
import { HTTP_FORM } from './http/http-form.js';
import { httpSecretPaths } from './http/http-fields.rules.js';

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
  hosts: ({ url, auth }) => {
    const named = [{ pointer: '/url', host: new URL(url).hostname }];
    if (!auth || !('tokenUrl' in auth)) return named;
    return [...named, { pointer: '/auth/tokenUrl', host: new URL(auth.tokenUrl).hostname }];
  },
  secretPaths: httpSecretPaths,
  secretScope: ({ url, auth }) => {
    const { origin } = new URL(url);
    return auth && 'tokenUrl' in auth ? `${origin} ${auth.tokenUrl}` : origin;
  },
  probe: (fields, context) => checkHttp(complete(fields), context),
};
