import { authorizationOf } from './credentials.js';
import { type HttpRequest } from './exchange.js';
import { type HttpFields } from './http-fields.dto.js';
import { type Hop } from './redirect.js';
import { USER_AGENT } from './user-agent.js';

/** Returns the first request of a check. `token`: what was issued for client credentials. */
export function firstHop(fields: HttpFields, token: string | null = null): Hop {
  const headers = { ...fields.headers };
  const authorization = authorizationOf(fields.auth, token);
  if (authorization !== null) headers.Authorization = authorization;
  return {
    url: new URL(fields.url),
    method: fields.method ?? 'GET',
    headers,
    secretHeaders: fields.secretHeaders ?? [],
    body: fields.body ?? null,
  };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^[\x21-\x7e\x80-\xff]+$/;
const HAS_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Returns the request of a hop as it is sent. Headers of the definition replace the default ones. Throws if the
 * definition contains something that a request cannot contain: validation should have rejected it, so this is a fault
 * of the service.
 */
export function requestOf({ url, method, headers, body }: Hop): HttpRequest {
  const path = url.pathname + url.search;
  if (!TOKEN.test(method) || !PATH.test(path)) throw new Error('the method or path is not valid in a request');
  const given = new Set<string>();
  let theirs = '';
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || !VALUE.test(value)) throw new Error('the header is not valid in a request');
    given.add(name.toLowerCase());
    theirs += `${name}: ${value}\r\n`;
  }
  const ours = (name: string, value: string): string => (given.has(name.toLowerCase()) ? '' : `${name}: ${value}\r\n`);
  let head = `${method} ${path} HTTP/1.1\r\n`;
  head += ours('Host', url.host) + ours('User-Agent', USER_AGENT);
  head += ours('Accept', '*/*') + ours('Accept-Encoding', 'identity');
  if (body !== null) head += ours('Content-Length', String(Buffer.byteLength(body)));
  head += theirs + ours('Connection', 'close');
  if (body === null && HAS_BODY.has(method)) head += 'Content-Length: 0\r\n';
  return { method, head: `${head}\r\n`, body };
}
