import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Deadline } from '../deadline.js';
import { closeSocket } from '../net/connection.js';
import { mayBeNoWayOut, noWayOut } from '../net/local-route.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { tlsFault } from '../net/tls.js';
import { BodyBuffer } from '../net/body-buffer.js';
import { type ResponseHead, ResponseParser } from './response-parser.js';

/** A request as it is sent. */
export interface HttpRequest {
  method: string;
  /** Request line and headers, including the empty line at the end, in Latin-1. */
  head: string;
  body: string | null;
}

export interface HttpReply extends ResponseHead {
  /** As received, including any content coding; at most `maxBodyBytes`. Empty if it is not kept. */
  body: Buffer;
  /** Size of the body as received, also if it is not kept. */
  bodyBytes: number;
}

/** Receives the progress of an exchange, so that it is known how far a failed exchange got. */
export interface ExchangeProgress {
  /** Called when the first byte of the response arrives. */
  onFirstByte(): void;
  /** Called when the head of the response has arrived. Returns `false` to skip the body. */
  onHead(head: ResponseHead): boolean;
  /** Whether the body is needed. Otherwise it is read and counted, but not kept. */
  keepsBody: boolean;
  /** Bytes of the body to read; by default `MAX_BODY_BYTES`. */
  maxBodyBytes?: number;
}

/**
 * Sends one HTTP/1.1 request on a connected socket and returns the response; the socket is closed when this settles.
 * Reads up to `maxBodyBytes` of a body. Rejects with a `ProbeFault`: `protocol_error`, `response_too_large`, `connection_reset`,
 * `tls_failed`, or `timeout` at the deadline, even while the target still sends data. Rejects with the original error
 * if it is a fault of the service.
 */
export function exchange(
  socket: Socket,
  request: HttpRequest,
  progress: ExchangeProgress,
  deadline: Deadline,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    let head: ResponseHead | null = null;
    const body = new BodyBuffer(progress.keepsBody, (fault) => fail(fault), progress.maxBodyBytes);
    let isFirst = true;
    let isOver = false;

    const finish = (): void => {
      isOver = true;
      body.release();
      deadline.off(onDeadline);
      closeSocket(socket);
    };
    const fail = (error: Error): void => {
      if (isOver) return;
      finish();
      reject(isOwnFault(error) ? error : faultOf(error, socket));
    };
    const succeed = (): void => {
      const bytes = body.bytes();
      finish();
      resolve({ ...head!, body: bytes, bodyBytes: body.length });
    };
    const onDeadline = (): void =>
      fail(new ProbeFault('timeout', `${head ? 'Reading' : 'Waiting for'} the response timed out.`));

    const parser = new ResponseParser(request.method === 'HEAD', {
      onHead: (found) => {
        head = found;
        const wanted = progress.onHead(found);
        if (!wanted) succeed();
        return wanted;
      },
      onBody: (chunk) => {
        if (isOver) return;
        body.append(chunk);
        if (!isOver && body.isFull) succeed();
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

    if (deadline.isOver) return onDeadline();
    deadline.on(onDeadline);
    socket.on('error', fail);
    socket.on('data', onData);
    socket.once('end', onClose);
    socket.once('close', onClose);
    send(socket, request);
  });
}

/** Sends head and body with one write: the second of two writes might wait for the first to be acknowledged. */
function send(socket: Socket, { head, body }: HttpRequest): void {
  if (body === null) socket.write(head, 'latin1');
  else socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body, 'utf8')]));
}

function brokenOff(): ProbeFault {
  return new ProbeFault('connection_reset', 'The connection was closed before the complete response arrived.');
}

function faultOf(error: Error, socket: Socket): Error {
  if (error instanceof ProbeFault) return error;
  // For an established connection, the kernel reports this only if this machine's own interface has gone.
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (socket instanceof TLSSocket && (code.startsWith('ERR_SSL') || code === 'EPROTO')) return tlsFault(error);
  // An error without either was thrown by this process, so it is a fault of the service.
  return code === 'ECONNRESET' || 'syscall' in error ? brokenOff() : error;
}
