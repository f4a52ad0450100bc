import { parse } from 'node:querystring';
import { gunzipSync } from 'node:zlib';
import { type Address, addressOf } from './addresses.js';
import { type ApiDocument, decode, type Operation, type Route } from './document.js';
import { type FuzzRequest, headersOf, pathOf, queryOf } from './exchange.js';
import { depthOf } from './forbidden.js';
import { type Secret, type World } from './world.js';

/** The credentials of a request, judged independently of the operation. */
export type Credentials =
  | { is: 'none' | 'invalid' | 'two' }
  /** A key that is or was valid. */
  | { is: 'known'; secret: Secret };

/** The body of a request, judged without its values. */
export type BodyReading =
  | { is: 'absent' }
  | { is: 'refused'; status: 400 | 413 | 415; codes: readonly string[] }
  | { is: 'json'; value: unknown };

/** A request as interpreted by the contract, independent of the intention with which it was drawn. */
export interface Reading extends Route {
  request: FuzzRequest;
  path: string;
  /** A map, so that `__proto__` is an ordinary name. */
  query: ReadonlyMap<string, string[]>;
  credentials: Credentials;
  body: BodyReading;
  /** The values of the path's variables, in their order. */
  places: readonly Place[];
}

/** A variable of the path and the address in its value. */
export interface Place {
  name: string;
  kind: string;
  text: string;
  address: Address | null;
}

const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const BODY_LIMIT = 256 * 1_024;
const DEEPEST = 32;

export function readRequest(document: ApiDocument, world: World, request: FuzzRequest): Reading {
  const path = pathOf(request);
  const query = queryEntries(queryOf(request));
  const none: Route = { operation: null, methods: [], values: {} };
  // Paths that cannot be decoded or contain NUL do not exist.
  const route = (decode(path) ?? '\0').includes('\0') ? none : document.route(request.method, path);
  return {
    ...route,
    request,
    path,
    query,
    credentials: readCredentials(world, request, query),
    body: TAKES_BODY.has(request.method) ? readBody(request) : { is: 'absent' },
    places: (route.operation?.variables ?? []).map(({ name, kind }) => {
      const text = route.values[name] ?? '';
      return { name, kind, text, address: addressOf(text) };
    }),
  };
}

/** Returns whether a place accepts a natural key, which it does unless the document requires a UUID. */
export function takesKey({ variables }: Operation, { name }: Place): boolean {
  return variables.find((one) => one.name === name)?.schema.format !== 'uuid';
}

function queryEntries(text: string): Map<string, string[]> {
  return new Map(Object.entries(parse(text)).map(([name, value]) => [name, [value ?? ''].flat()]));
}

function readCredentials(world: World, request: FuzzRequest, query: Reading['query']): Credentials {
  const all = headersOf(request, 'authorization');
  const [scheme = '', ...tokens] = (all[0] ?? '').trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') return { is: 'none' };
  if (all.length > 1 || query.has('access_token')) return { is: 'two' };
  const secret = tokens.length === 1 ? world.secrets.get(tokens[0]!) : undefined;
  return secret ? { is: 'known', secret } : { is: 'invalid' };
}

function readBody(request: FuzzRequest): BodyReading {
  const refused = (status: 400 | 413 | 415, ...codes: string[]) => ({ is: 'refused', status, codes }) as const;
  const { body, method } = request;
  if (!body || body.length === 0) return { is: 'absent' };
  const encoding = (headersOf(request, 'content-encoding')[0] ?? 'identity').trim().toLowerCase();
  if (!isJsonType(headersOf(request, 'content-type')[0] ?? '', method === 'PATCH')) {
    return refused(415, 'unsupported_media_type');
  }
  if (encoding !== 'identity' && encoding !== 'gzip') return refused(415, 'unsupported_media_type');
  if (body.length > BODY_LIMIT) return refused(413, 'payload_too_large');
  const bytes = encoding === 'gzip' ? unpack(body) : body;
  if (bytes === null) return refused(400, 'invalid_request');
  if (bytes.length > BODY_LIMIT) return refused(413, 'payload_too_large');
  if (bytes.length === 0) return { is: 'absent' };
  return readJson(bytes);
}

function readJson(bytes: Buffer): BodyReading {
  const refused = (code: string) => ({ is: 'refused', status: 400, codes: [code] }) as const;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(text) > DEEPEST) return refused('json_too_deep');
    return { is: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return refused('invalid_json');
  }
}

function unpack(body: Buffer): Buffer | null {
  try {
    return gunzipSync(body);
  } catch {
    return null;
  }
}

function isJsonType(header: string, patches: boolean): boolean {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const known = type.trim() === 'application/json' || (patches && type.trim() === 'application/merge-patch+json');
  return known && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}
