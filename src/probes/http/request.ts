import { authorizationOf } from './credentials.js';
import { type HttpRequest } from './exchange.js';
import { type Http2Request } from './exchange-http2.js';
import { formBody } from './form-body.js';
import { type HttpFields } from './http-fields.dto.js';
import { type Proxy } from './proxy.js';
import { type Hop } from './redirect.js';
import { USER_AGENT } from './user-agent.js';

/** Returns the first request of a check. `token`: what was issued for client credentials. */
export function firstHop(fields: HttpFields, token: string | null = null): Hop {
  const headers = { ...fields.headers };
  const authorization = authorizationOf(fields.auth, token);
  if (authorization !== null) headers.Authorization = authorization;
  const form = fields.settings?.form ? formBody(fields.settings.form) : null;
  if (form) headers['Content-Type'] = form.contentType;
  return {
    url: new URL(fields.url),
    method: fields.method ?? 'GET',
    headers,
    secretHeaders: fields.secretHeaders ?? [],
    body: form?.body ?? fields.body ?? null,
  };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^[\x21-\x7e\x80-\xff]+$/;
const HAS_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Returns the request of a hop as it is sent, or as it is sent to a proxy. Headers of the definition replace the default
 * ones. Throws if the definition contains something that a request cannot contain: validation should have rejected it, so
 * this is a fault of the service.
 */
export function requestOf({ url, method, headers, body }: Hop, proxy: Proxy | null = null): HttpRequest {
  const path = (proxy ? url.origin : '') + pathOf(url, method);
  const given = new Set<string>();
  let theirs = '';
  for (const [name, value] of Object.entries(headers)) {
    assertSendable(name, value);
    given.add(name.toLowerCase());
    theirs += `${name}: ${value}\r\n`;
  }
  const ours = (name: string, value: string): string => (given.has(name.toLowerCase()) ? '' : `${name}: ${value}\r\n`);
  let head = `${method} ${path} HTTP/1.1\r\n`;
  head += ours('Host', url.host) + ours('User-Agent', USER_AGENT);
  head += ours('Accept', '*/*') + ours('Accept-Encoding', 'identity');
  if (body !== null) head += ours('Content-Length', String(Buffer.byteLength(body)));
  if (proxy && proxy.authorization !== null) head += `Proxy-Authorization: ${proxy.authorization}\r\n`;
  head += theirs + ours('Connection', 'close');
  if (body === null && HAS_BODY.has(method)) head += 'Content-Length: 0\r\n';
  return { method, head: `${head}\r\n`, body };
}

/** Returns the request of a hop as it is sent over HTTP/2. Otherwise like `requestOf`. */
export function http2RequestOf({ url, method, headers, body }: Hop): Http2Request {
  const fields: Record<string, string> = { 'user-agent': USER_AGENT, accept: '*/*', 'accept-encoding': 'identity' };
  for (const [name, value] of Object.entries(headers)) {
    assertSendable(name, value);
    fields[name.toLowerCase()] = value;
  }
  if (body !== null) fields['content-length'] = String(Buffer.byteLength(body));
  const { host = url.host, ...others } = fields;
  const pseudo = { ':method': method, ':scheme': 'https', ':authority': host, ':path': pathOf(url, method) };
  return { origin: url.origin, headers: { ...pseudo, ...others }, body };
}

function pathOf(url: URL, method: string): string {
  const path = url.pathname + url.search;
  if (!TOKEN.test(method) || !PATH.test(path)) throw new Error('the method or path is not valid in a request');
  return path;
}

function assertSendable(name: string, value: string): void {
  if (!TOKEN.test(name) || !VALUE.test(value)) throw new Error('the header is not valid in a request');
}
