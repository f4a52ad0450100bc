import { parsedJson } from '../../domain/parsed-json.js';
import { requestOf } from '../../probes/http/request.js';
import { exchange, type HttpReply } from '../../probes/http/exchange.js';
import { endpointOf } from '../../probes/net/dial.js';
import { type ChannelContext } from '../channel.js';
import { retryAfterMs } from './retry-after.js';

/** Bytes of an answer that are read; nothing that a provider documents is longer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A request to a receiver. At most one of `json`, `form` and `text` is the body. */
export interface Outgoing {
  url: string | URL;
  /** `POST` unless given. */
  method?: 'POST' | 'PUT' | 'GET';
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /** A body that has to be sent exactly as it is; set its `Content-Type` in `headers`. */
  text?: string;
}

/** The answer of a receiver, whatever its status. */
export interface Answer {
  statusCode: number;
  /** At most 64 KiB. */
  text: string;
  /** The body as JSON, or undefined if it is none. */
  json: unknown;
  /** From `Retry-After`, or null. */
  retryAfterMs: number | null;
}

/**
 * Sends one request and returns the answer. Judges addresses when it connects, and verifies certificates. Does not follow
 * redirects: no provider documents one, and each could lead to an address that nobody has allowed.
 * @throws ProbeFault if there is no answer before the deadline; the error of this machine if it has a fault of its own
 */
export async function request(outgoing: Outgoing, context: ChannelContext): Promise<Answer> {
  const { deadline, egress } = context;
  const url = new URL(outgoing.url);
  const sent = requestOf(hopOf(outgoing, url));
  const { host, port, isSecure } = endpointOf(url);
  const addresses = await egress.resolve(host, deadline);
  let { socket } = await egress.connect(addresses, port, deadline);
  if (isSecure) {
    socket = await egress.secure(socket, { host, verify: true, protocols: ['http/1.1'] }, deadline);
  }
  const progress = {
    onFirstByte: () => undefined,
    onHead: () => true,
    keepsBody: true,
    maxBodyBytes: MAX_ANSWER_BYTES,
  };
  const reply = await exchange(socket, sent, progress, deadline);
  return answerOf(reply);
}

function hopOf({ method = 'POST', headers, json, form, text }: Outgoing, url: URL): Parameters<typeof requestOf>[0] {
  const [type, body] =
    json !== undefined
      ? ['application/json', JSON.stringify(json)]
      : form
        ? ['application/x-www-form-urlencoded', new URLSearchParams(form).toString()]
        : [null, text ?? null];
  const all = { ...(type !== null && { 'Content-Type': type }), ...headers };
  return { url, method, headers: all, secretHeaders: [], body };
}

function answerOf({ statusCode, headers, body }: HttpReply): Answer {
  const text = body.toString('utf8');
  return {
    statusCode,
    text,
    json: parsedJson(text),
    retryAfterMs: retryAfterMs(headers['retry-after']?.[0], Date.now()),
  };
}

/** Returns a member of a JSON object as a text; null if it is neither a text nor a number. */
export function textAt(json: unknown, ...path: readonly string[]): string | null {
  let at = json;
  for (const step of path)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined;
  return typeof at === 'string' ? at : typeof at === 'number' ? String(at) : null;
}
