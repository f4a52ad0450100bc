import { type Socket } from 'node:net';
import { constants } from 'node:http2';
import { type Deadline } from '../deadline.js';
import { exchangeHttp2 } from '../http/exchange-http2.js';
import { ProbeFault } from '../net/probe-fault.js';

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
export async function callHealth(
  socket: Socket,
  { authority, isSecure, service, metadata, timeoutMs }: HealthCall,
  deadline: Deadline,
  onFirstByte: () => void,
): Promise<HealthReply> {
  const headers = {
    ...metadata,
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: PATH,
    [constants.HTTP2_HEADER_TE]: 'trailers',
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    'grpc-timeout': `${timeoutMs}m`,
  };
  const request = { origin: `${isSecure ? 'https' : 'http'}://${authority}`, headers, body: message(service) };
  const progress = { onFirstByte, onHead: () => true, keepsBody: true, maxBodyBytes: MAX_RESPONSE_BYTES };
  const reply = await exchangeHttp2(socket, request, progress, deadline);
  if (reply.bodyBytes >= MAX_RESPONSE_BYTES) {
    throw new ProbeFault('response_too_large', 'The response is too large.');
  }
  const grpcStatus = (reply.trailers['grpc-status'] ?? reply.headers['grpc-status'])?.[0];
  return {
    httpStatus: reply.statusCode,
    grpcStatus: grpcStatus === undefined ? null : Number(grpcStatus),
    serving: servingIn(reply.body),
  };
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
