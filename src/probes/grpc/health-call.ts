import { type Socket } from 'node:net';
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { type Deadline } from '../deadline.js';
import { mayBeNoWayOut, noWayOut } from '../net/local-route.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';

/** A call of the health protocol (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). */
export interface HealthCall {
  /** With the port, if that is not the usual one. */
  authority: string;
  isSecure: boolean;
  /** The service to ask about; empty for the server as a whole. */
  service: string;
  metadata: Record<string, string>;
  timeoutMs: number;
}

/** The end of a call: its status (https://grpc.github.io/grpc/core/md_doc_statuscodes.html), and the response. */
export interface HealthReply {
  httpStatus: number;
  /** `null` if the response has none. */
  grpcStatus: number | null;
  /** `UNKNOWN`, `SERVING`, `NOT_SERVING` or `SERVICE_UNKNOWN`; `null` without a response. */
  serving: string | null;
}

const PATH = '/grpc.health.v1.Health/Check';
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
/** Megabytes that a session may hold. */
const MAX_SESSION_MEMORY = 1;
/** Length of the head of a message: whether it is compressed, and its size. */
const HEAD_BYTES = 5;
/** The first field, with a length. */
const SERVICE_FIELD = 0x0a;
/** The first field, with a number. */
const STATUS_FIELD = 0x08;
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/**
 * Calls the health service over an open connection. Calls `onFirstByte` when the response begins. Ends the session, but
 * leaves it to the caller to close the connection. Rejects with a `ProbeFault`: `timeout`, `connection_reset`,
 * `protocol_error` or `response_too_large`.
 */
export function callHealth(
  socket: Socket,
  call: HealthCall,
  deadline: Deadline,
  onFirstByte: () => void,
): Promise<HealthReply> {
  return new Promise((resolve, reject) => {
    const session = sessionOn(socket, call);
    const finish = (): void => {
      deadline.off(onDeadline);
      session.destroy();
    };
    const fail = (error: unknown): void => {
      finish();
      reject(faultOf(error));
    };
    const onDeadline = (): void => fail(new ProbeFault('timeout', 'The call timed out.'));
    if (deadline.isOver) return onDeadline();
    deadline.on(onDeadline);
    session.on('error', fail);
    session.once('close', () => fail(brokenOff()));

    const stream = session.request({
      ...call.metadata,
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: PATH,
      [constants.HTTP2_HEADER_TE]: 'trailers',
      [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
      'grpc-timeout': `${call.timeoutMs}m`,
    });
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('error', fail);
    stream.once('response', (received) => {
      onFirstByte();
      headers = received;
    });
    stream.once('trailers', (received: IncomingHttpHeaders) => (trailers = received));
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return fail(new ProbeFault('response_too_large', 'The response is too large.'));
      chunks.push(chunk);
    });
    stream.once('end', () => {
      const status = Number(headers[constants.HTTP2_HEADER_STATUS]);
      if (Number.isNaN(status)) return fail(brokenOff());
      finish();
      const grpcStatus = trailers['grpc-status'] ?? headers['grpc-status'];
      resolve({
        httpStatus: status,
        grpcStatus: grpcStatus === undefined ? null : Number(grpcStatus),
        serving: servingIn(Buffer.concat(chunks)),
      });
    });
    stream.end(message(call.service));
  });
}

function sessionOn(socket: Socket, { authority, isSecure }: HealthCall): ClientHttp2Session {
  return connect(`${isSecure ? 'https' : 'http'}://${authority}`, {
    createConnection: () => socket,
    maxSessionMemory: MAX_SESSION_MEMORY,
    maxReservedRemoteStreams: 0,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEADER_BYTES },
  });
}

/** Encodes a request: a message with one field, in the frame of gRPC. */
function message(service: string): Buffer {
  const name = Buffer.from(service);
  const body = name.length === 0 ? name : Buffer.concat([Buffer.from([SERVICE_FIELD, name.length]), name]);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Decodes a response. The default of the field, 0, is not transmitted. */
function servingIn(response: Buffer): string | null {
  if (response.length < HEAD_BYTES || response[0] !== 0) return null;
  if (response.length === HEAD_BYTES) return STATUSES[0]!;
  return response[HEAD_BYTES] === STATUS_FIELD ? (STATUSES[response[HEAD_BYTES + 1]!] ?? null) : null;
}

function brokenOff(): ProbeFault {
  return new ProbeFault('connection_reset', 'The server closed the connection before the call was complete.');
}

function faultOf(error: unknown): Error {
  if (error instanceof ProbeFault || isOwnFault(error)) return error as Error;
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (code === 'ECONNRESET' || code === 'EPIPE') return brokenOff();
  return new ProbeFault('protocol_error', 'The server does not speak HTTP/2.');
}
