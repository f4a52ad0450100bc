import { type Socket } from 'node:net';
import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { type Deadline } from '../deadline.js';
import { BodyBuffer } from '../net/body-buffer.js';
import { mayBeNoWayOut, noWayOut } from '../net/local-route.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { tlsFault } from '../net/tls.js';
import { type ExchangeProgress, type HttpReply } from './exchange.js';
import { MAX_HEAD_BYTES, type ResponseHead } from './response-parser.js';

/** A request as it is sent over HTTP/2. */
export interface Http2Request {
  origin: string;
  /** With the method and the path. */
  headers: OutgoingHttpHeaders;
  body: string | Buffer | null;
}

export interface Http2Reply extends HttpReply {
  trailers: ResponseHead['headers'];
}

/** Megabytes that a session may hold. */
const MAX_SESSION_MEMORY = 1;
/** Statuses of responses without a body, whatever their `content-length`. */
const BODILESS = new Set([204, 304]);

/**
 * Sends one request over HTTP/2 (RFC 9113) on a connected socket and returns the response. Ends the session, but leaves it
 * to the caller to close the socket. Otherwise like `exchange`, also in its faults.
 */
export function exchangeHttp2(
  socket: Socket,
  request: Http2Request,
  progress: ExchangeProgress,
  deadline: Deadline,
): Promise<Http2Reply> {
  return new Promise((resolve, reject) => {
    const session = sessionOn(socket, request.origin);
    const body = new BodyBuffer(progress.keepsBody, (fault) => fail(fault), progress.maxBodyBytes);
    let head: ResponseHead | null = null;
    let trailers: ResponseHead['headers'] = {};
    let isOver = false;

    const finish = (): void => {
      isOver = true;
      body.release();
      deadline.off(onDeadline);
      session.destroy();
    };
    const fail = (error: unknown): void => {
      if (isOver) return;
      finish();
      reject(faultOf(error, socket));
    };
    const succeed = (): void => {
      if (isOver) return;
      if (!head) return fail(brokenOff());
      const bytes = body.bytes();
      finish();
      resolve({ ...head, trailers, body: bytes, bodyBytes: body.length });
    };
    const onDeadline = (): void =>
      fail(new ProbeFault('timeout', `${head ? 'Reading' : 'Waiting for'} the response timed out.`));

    if (deadline.isOver) return onDeadline();
    deadline.on(onDeadline);
    session.on('error', fail);
    session.once('close', () => fail(brokenOff()));
    const stream = session.request(request.headers, { endStream: request.body === null });
    stream.on('error', fail);
    stream.once('response', (_headers: unknown, _flags: unknown, raw: readonly string[]) => {
      if (isOver) return;
      progress.onFirstByte();
      head = headOf(raw);
      if (!progress.onHead(head)) succeed();
    });
    stream.once('trailers', (_headers: unknown, _flags: unknown, raw: readonly string[]) => {
      trailers = headersOf(raw);
    });
    stream.on('data', (chunk: Buffer) => {
      if (isOver) return;
      body.append(chunk);
      if (body.isFull) succeed();
    });
    stream.once('end', () => {
      // The stream ends in this way also if the server resets it, or the connection is lost, within the body.
      const isWhole = stream.rstCode === constants.NGHTTP2_NO_ERROR && body.length >= expectedBytes(request, head);
      if (isWhole) succeed();
      else fail(brokenOff());
    });
    if (request.body !== null) stream.end(request.body);
  });
}

function sessionOn(socket: Socket, origin: string): ClientHttp2Session {
  return connect(origin, {
    createConnection: () => socket,
    maxSessionMemory: MAX_SESSION_MEMORY,
    maxReservedRemoteStreams: 0,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEAD_BYTES },
  });
}

function headOf(raw: readonly string[]): ResponseHead {
  const headers = headersOf(raw);
  const statusCode = Number(headers[constants.HTTP2_HEADER_STATUS]?.[0]);
  delete headers[constants.HTTP2_HEADER_STATUS];
  return { statusCode, headers };
}

/** Returns headers by their names, which HTTP/2 sends in lower case, from a list of names and values. */
function headersOf(raw: readonly string[]): ResponseHead['headers'] {
  // The target chooses the names, so the object must not inherit any properties.
  const headers = Object.create(null) as ResponseHead['headers'];
  for (let at = 0; at + 1 < raw.length; at += 2) (headers[raw[at]!] ??= []).push(raw[at + 1]!);
  return headers;
}

/** Returns how long the body must be at least: as long as the head says, unless such a response has none. */
function expectedBytes({ headers }: Http2Request, head: ResponseHead | null): number {
  const isBodiless = headers[constants.HTTP2_HEADER_METHOD] === 'HEAD' || BODILESS.has(head?.statusCode ?? 0);
  return isBodiless ? 0 : Number(head?.headers['content-length']?.[0] ?? 0);
}

function brokenOff(): ProbeFault {
  return new ProbeFault('connection_reset', 'The connection was closed before the complete response arrived.');
}

function faultOf(error: unknown, socket: Socket): Error {
  if (error instanceof ProbeFault || isOwnFault(error)) return error as Error;
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (code === 'ECONNRESET' || code === 'EPIPE') return brokenOff();
  if (socket instanceof TLSSocket && (code.startsWith('ERR_SSL') || code === 'EPROTO')) return tlsFault(error);
  return new ProbeFault('protocol_error', 'The server does not speak HTTP/2.');
}
