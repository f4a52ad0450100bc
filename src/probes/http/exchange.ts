import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { closeSocket } from '../net/connection.js';
import { mayBeNoWayOut, noWayOut } from '../net/local-route.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { tlsFault } from '../net/tls.js';
import { type ResponseHead, ResponseParser } from './response-parser.js';

/** What goes over the wire, `Host` included. */
export interface HttpRequest {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface HttpReply extends ResponseHead {
  /** As sent, content coding included; at most `MAX_BODY_BYTES`. */
  body: Buffer;
}

/** Told while an exchange runs, so that what was reached is known when it fails. */
export interface ExchangeProgress {
  /** The first byte of the answer arrived. */
  onFirstByte(): void;
  /** The head of the answer arrived. Answer `false` to leave the body unread. */
  onHead(head: ResponseHead): boolean;
}

export const MAX_BODY_BYTES = 1024 * 1024;

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
  return new Promise((resolve, reject) => {
    let head: ResponseHead | null = null;
    const chunks: Buffer[] = [];
    let size = 0;
    let isFirst = true;
    let isOver = false;

    const finish = (): void => {
      isOver = true;
      signal.removeEventListener('abort', onAbort);
      closeSocket(socket);
    };
    const fail = (error: Error): void => {
      if (isOver) return;
      finish();
      reject(isOwnFault(error) ? error : faultOf(error, socket));
    };
    const succeed = (): void => {
      finish();
      resolve({ ...head!, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    };
    const onAbort = (): void =>
      fail(new ProbeFault('timeout', `The ${head ? 'whole answer' : 'answer'} did not arrive within the time limit.`));

    const parser = new ResponseParser(request.method === 'HEAD', {
      onHead: (found) => {
        head = found;
        const wanted = progress.onHead(found);
        if (!wanted) succeed();
        return wanted;
      },
      onBody: (chunk) => {
        if (isOver) return;
        chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size));
        size += chunk.length;
        if (size >= MAX_BODY_BYTES) succeed();
      },
      onEnd: () => {
        if (!isOver) succeed();
      },
    });

    const onData = (data: Buffer): void => {
      if (isOver) return;
      if (isFirst) progress.onFirstByte();
      isFirst = false;
      try {
        parser.feed(data);
      } catch (error) {
        fail(error as Error);
      }
    };
    const onClose = (): void => {
      if (!isOver && !parser.close()) fail(brokenOff());
    };

    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', fail);
    socket.on('data', onData);
    socket.once('end', onClose);
    socket.once('close', onClose);
    try {
      send(socket, request);
    } catch (error) {
      fail(error as Error);
    }
  });
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^[\x21-\x7e\x80-\xff]+$/;
const HAS_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** A definition that holds what cannot go into a request was never to be stored: a throw is a fault of ours. */
function send(socket: Socket, { method, path, headers, body }: HttpRequest): void {
  if (!TOKEN.test(method) || !PATH.test(path)) throw new Error('no such request can be made');
  let head = `${method} ${path} HTTP/1.1\r\n`;
  let saysConnection = false;
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || !VALUE.test(value)) throw new Error('no such header can be sent');
    saysConnection ||= name.toLowerCase() === 'connection';
    head += `${name}: ${value}\r\n`;
  }
  if (!saysConnection) head += 'Connection: close\r\n';
  if (body === null && HAS_BODY.has(method)) head += 'Content-Length: 0\r\n';
  socket.write(`${head}\r\n`, 'latin1');
  if (body !== null) socket.write(body, 'utf8');
}

function brokenOff(): ProbeFault {
  return new ProbeFault('connection_reset', 'The connection was closed before the whole answer arrived.');
}

function faultOf(error: Error, socket: Socket): Error {
  if (error instanceof ProbeFault) return error;
  // Of a connection that stood, the kernel says this only where our own interface has gone.
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (socket instanceof TLSSocket && (code.startsWith('ERR_SSL') || code === 'EPROTO')) return tlsFault(error);
  // An error without either was thrown here, about the request: a fault of ours.
  return code === 'ECONNRESET' || 'syscall' in error ? brokenOff() : error;
}
