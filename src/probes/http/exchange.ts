import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { closeSocket } from '../net/connection.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { tlsFault } from '../net/tls.js';

/** What goes over the wire, `Host` included. */
export interface HttpRequest {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface HttpReply {
  statusCode: number;
  /** By lower-case name. */
  headers: Record<string, string[] | undefined>;
  /** As sent, content coding included; at most `MAX_BODY_BYTES`. */
  body: Buffer;
}

/** Told while an exchange runs, so that what was reached is known when it fails. */
export interface ExchangeProgress {
  /** The first byte of the answer arrived. */
  onFirstByte(): void;
  /** The head of the answer arrived. Answer `false` to leave the body unread. */
  onHead(reply: Omit<HttpReply, 'body'>): boolean;
}

export const MAX_HEAD_BYTES = 64 * 1024;
export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_INTERIM_ANSWERS = 50;

/**
 * One HTTP/1.1 request and its answer on a connected socket, which is closed when this settles. A body is read up to
 * 1 MiB. Rejects with a `ProbeFault` (`protocol_error`, `response_too_large`, `connection_reset`, `tls_failed`, and
 * `timeout` as soon as the signal aborts, whatever the target trickles), or with the error itself where it is ours.
 */
export function exchange(
  socket: Socket,
  request: HttpRequest,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<HttpReply> {
  const { method, path, body } = request;
  return new Promise((resolve, reject) => {
    // With a connection of its own and no agent, Node sends `Connection: close`.
    const outgoing = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers: request.headers,
      setHost: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      insecureHTTPParser: false,
    });
    let phase = 'answer';
    let interimAnswers = 0;

    const finish = (): void => {
      signal.removeEventListener('abort', onAbort);
      closeSocket(socket);
      outgoing.destroy();
    };
    const fail = (error: Error): void => {
      finish();
      reject(isOwnFault(error) ? error : faultOf(error, socket));
    };
    const onAbort = (): void => fail(new ProbeFault('timeout', `The ${phase} did not arrive within the time limit.`));
    const succeed = (reply: HttpReply): void => {
      finish();
      resolve(reply);
    };

    const onResponse = (incoming: IncomingMessage): void => {
      phase = 'whole answer';
      const head = { statusCode: incoming.statusCode!, headers: incoming.headersDistinct };
      const chunks: Buffer[] = [];
      let size = 0;
      const end = (): void => succeed({ ...head, body: Buffer.concat(chunks) });
      // After an upgrade the parser is gone: what follows is not HTTP.
      if (!progress.onHead(head) || head.statusCode === 101) return end();
      // Node's own listener would begin an orderly close: see closeSocket.
      incoming.removeAllListeners('end');
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size));
        size += chunk.length;
        if (size >= MAX_BODY_BYTES) end();
      });
      incoming.once('end', end);
      incoming.on('error', fail);
    };

    outgoing.on('socket', () => socket.once('data', () => progress.onFirstByte()));
    outgoing.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS)
        fail(new ProbeFault('protocol_error', 'Too many interim (1xx) answers.'));
    });
    outgoing.once('response', onResponse);
    outgoing.once('upgrade', onResponse);
    outgoing.on('error', fail);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.end(body ?? undefined);
  });
}

function faultOf(error: Error, socket: Socket): Error {
  if (error instanceof ProbeFault) return error;
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ProbeFault('response_too_large', 'The headers of the answer are larger than 64 KiB.');
  }
  if (code.startsWith('HPE_')) return new ProbeFault('protocol_error', `The answer is not valid HTTP (${code}).`);
  if (socket instanceof TLSSocket && (code.startsWith('ERR_SSL') || code === 'EPROTO')) return tlsFault(error);
  // Errors with neither are thrown by Node about the request: a fault of ours.
  if (code === 'ECONNRESET' || 'syscall' in error) {
    return new ProbeFault('connection_reset', 'The connection was closed before the whole answer arrived.');
  }
  return error;
}
