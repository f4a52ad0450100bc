import { Injectable, Logger } from '@nestjs/common';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { isDatabaseAway } from '../../database/database-fault.js';
import { ProblemException } from '../../http/problems/problem.js';
import { PING_METHODS } from '../../probes/heartbeat/heartbeat-fields.dto.js';
import { HeartbeatIndexService, type IndexedHeartbeat } from './heartbeat-index.service.js';
import { isPing, type PingAddress, pingAddressOf } from './ping-address.js';
import { KeyedPingsService } from './ping-keys/keyed-pings.service.js';
import { PingsService } from './pings.service.js';

/** A larger body is refused. */
const MAX_BODY_BYTES = 100_000;
/** This much of a body is kept. */
const KEPT_BYTES = 10_000;
const MAX_RUN_ID = 100;
const RETRY_AFTER_S = 5;

/** A response, before it has the form that its address calls for. */
interface Reply {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

const ACCEPTED: Reply = { status: 200, message: 'OK' };
const CREATED: Reply = { status: 201, message: 'Created' };

/** The response to a report that is not accepted. */
class Refusal extends Error implements Reply {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const NOT_FOUND = new Refusal(404, 'not found');

/**
 * Receives the reports of jobs, in front of everything else that handles requests: they need no credentials, arrive in
 * bursts, and must be accepted as long as anything works. `OK` is sent only once a report is durable.
 */
@Injectable()
export class PingHandler {
  private readonly logger = new Logger(PingHandler.name);

  constructor(
    private readonly index: HeartbeatIndexService,
    private readonly pings: PingsService,
    private readonly keyed: KeyedPingsService,
  ) {}

  readonly handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (isPing(request.url ?? '')) void this.answer(request, response);
    else next();
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = pingAddressOf(request.url!);
    const reply = await this.replyTo(request, address);
    this.pings.noteAnswer(reply.status);
    // A caller that goes away gets no answer, and the rest of its body need not be read.
    if (response.destroyed) return;
    send(response, address?.style ?? 'text', reply, request.method === 'HEAD');
  }

  private async replyTo(request: IncomingMessage, address: PingAddress | null): Promise<Reply> {
    try {
      return await this.take(request, address);
    } catch (error) {
      if (error instanceof Refusal) return error;
      if (error instanceof ProblemException) {
        return { status: error.getStatus(), message: error.errors?.[0]?.detail ?? error.detail };
      }
      if (!isDatabaseAway(error)) this.logger.error('could not store the report of a job', error);
      return { status: 503, message: 'try again later', headers: { 'Retry-After': String(RETRY_AFTER_S) } };
    }
  }

  /** Accepts a report. @throws Refusal, ProblemException */
  private async take(request: IncomingMessage, address: PingAddress | null): Promise<Reply> {
    if (!address) throw NOT_FOUND;
    const known = await this.find(address);
    if (!known && !mayCreate(address)) throw NOT_FOUND;
    const { kind, exitStatus, query, style } = address;
    const method = request.method!;
    // A report that is refused must not create a monitor, so everything about it is examined before.
    const methods: readonly string[] = known?.target.methods ?? PING_METHODS;
    if (!methods.includes(method)) throw new Refusal(405, 'method not allowed', { Allow: methods.join(', ') });
    const runId = query.get('rid');
    if (runId !== null && runId.length > MAX_RUN_ID) throw new Refusal(400, 'rid is too long');
    const sent = await bodyOf(request);
    const found = known ?? (await this.create(address));
    if (!found) throw NOT_FOUND;
    const { target, limit } = found;
    if (!limit.accepts(kind, performance.now())) {
      throw new Refusal(429, 'too many reports', { 'Retry-After': String(limit.retryAfterSeconds) });
    }
    const body = style === 'json' ? textOrNull(query.get('msg') ?? '') : sent;
    await this.pings.accept(target, {
      kind,
      runId: textOrNull(runId ?? ''),
      exitStatus,
      method,
      body,
      durationMs: durationIn(query, style),
    });
    return known ? ACCEPTED : CREATED;
  }

  private find({ target }: PingAddress): Promise<IndexedHeartbeat | null> {
    return 'token' in target ? this.index.find(target.token) : this.keyed.find(target.pingKey, target.monitorKey);
  }

  /** Creates the monitor, unless another report just did. Returns `null` if the ping key is unknown. */
  private async create({ target }: PingAddress): Promise<IndexedHeartbeat | null> {
    return 'token' in target ? null : this.keyed.create(target.pingKey, target.monitorKey);
  }
}

/** Returns whether the report of an unknown monitor asks to create it. */
function mayCreate({ target, query }: PingAddress): boolean {
  return !('token' in target) && query.get('create') === '1';
}

/** Uptime Kuma's clients report how long something took. */
function durationIn(query: URLSearchParams, style: PingAddress['style']): number | null {
  const text = style === 'json' ? (query.get('ping') ?? '') : '';
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : null;
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text.replaceAll('\0', '\uFFFD');
}

/**
 * Reads the body, and returns its beginning as text. Listens to events, because an iterator costs as much as everything
 * else about a short body. @throws Refusal if it is too large
 */
function bodyOf(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        request.removeAllListeners('data').pause();
        reject(new Refusal(413, 'the body is too large', { Connection: 'close' }));
      } else if (keptBytes < KEPT_BYTES) {
        const part = chunk.subarray(0, KEPT_BYTES - keptBytes);
        kept.push(part);
        keptBytes += part.length;
      }
    });
    request.once('error', () => reject(new Refusal(400, 'the body is incomplete')));
    request.once('end', () => {
      // A character that is cut in half decodes to a replacement character.
      const text = Buffer.concat(kept).toString('utf8');
      resolve(textOrNull(bytes > keptBytes ? text.replace(/\uFFFD$/, '') : text));
    });
  });
}

function send(response: ServerResponse, style: PingAddress['style'], reply: Reply, isHead: boolean): void {
  const { status, message, headers } = reply;
  const body = style === 'text' ? message : JSON.stringify(status < 300 ? { ok: true } : { ok: false, msg: message });
  response.writeHead(status, {
    'Content-Type': style === 'text' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // Clients that know this header, such as runitor, send the end of a longer output instead of its beginning.
    'Ping-Body-Limit': KEPT_BYTES,
    ...headers,
  });
  response.end(isHead ? undefined : body);
}
