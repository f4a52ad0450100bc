import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Deadline } from '../deadline.js';
import { closeSocket } from '../net/connection.js';
import { mayBeNoWayOut, noWayOut } from '../net/local-route.js';
import { errorCode, isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { tlsFault } from '../net/tls.js';
import { BodyBuffer } from './body-buffer.js';
import { type ResponseHead, ResponseParser } from './response-parser.js';

/** What goes over the wire. */
export interface HttpRequest {
  method: string;
  /** Request line and headers, up to the empty line, in Latin-1. */
  head: string;
  body: string | null;
}

export interface HttpReply extends ResponseHead {
  /** As sent, content coding included; at most `MAX_BODY_BYTES`. Empty where it is not kept. */
  body: Buffer;
}

/** Told while an exchange runs, so that what was reached is known when it fails. */
export interface ExchangeProgress {
  /** The first byte of the answer arrived. */
  onFirstByte(): void;
  /** The head of the answer arrived. Answer `false` to leave the body unread. */
  onHead(head: ResponseHead): boolean;
  /** Whether somebody will look at the body. Otherwise it is read and counted, and not kept. */
  keepsBody: boolean;
}

/**
 * One HTTP/1.1 request and its answer on a connected socket, which is closed when this settles. A body is read up to
 * 1 MiB. Rejects with a `ProbeFault` (`protocol_error`, `response_too_large`, `connection_reset`, `tls_failed`, and
 * `timeout` at the deadline, whatever the target trickles), or with the error itself where it is ours.
 */
export function exchange(
  socket: Socket,
  request: HttpRequest,
  progress: ExchangeProgress,
  deadline: Deadline,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    let head: ResponseHead | null = null;
    const body = new BodyBuffer(progress.keepsBody, (fault) => fail(fault));
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
      resolve({ ...head!, body: bytes });
    };
    const onDeadline = (): void =>
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

/** In one piece: the second of two might wait for the receipt of the first. */
function send(socket: Socket, { head, body }: HttpRequest): void {
  if (body === null) socket.write(head, 'latin1');
  else socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body, 'utf8')]));
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
