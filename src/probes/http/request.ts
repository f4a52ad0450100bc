import { authorizationOf } from './credentials.js';
import { type HttpRequest } from './exchange.js';
import { type HttpFields } from './http-fields.dto.js';
import { type Hop } from './redirect.js';
import { USER_AGENT } from './user-agent.js';

/** The first request of a check. */
export function firstHop(fields: HttpFields): Hop {
  const headers = { ...fields.headers };
  const authorization = authorizationOf(fields.auth);
  if (authorization !== null) headers.Authorization = authorization;
  return { url: new URL(fields.url), method: fields.method ?? 'GET', headers, body: fields.body ?? null };
}

/** What the hop looks like on the wire. Headers of the caller replace ours. */
export function requestOf({ url, method, headers, body }: Hop): HttpRequest {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const ours: Record<string, string> = {
    Host: url.host,
    'User-Agent': USER_AGENT,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
  };
  if (body !== null) ours['Content-Length'] = String(Buffer.byteLength(body));
  const missing = Object.entries(ours).filter(([name]) => !given.has(name.toLowerCase()));
  return { method, path: url.pathname + url.search, headers: { ...Object.fromEntries(missing), ...headers }, body };
}
