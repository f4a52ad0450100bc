import { type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Observation } from '../observation.js';
import { BodyBuffer } from './body-buffer.js';
import { closeSocket } from './connection.js';
import { dial, hangUp, type Means, secure, type SecureHost } from './dial.js';
import { mayBeNoWayOut, noWayOut } from './local-route.js';
import { errorCode, isOwnFault, ProbeFault } from './probe-fault.js';
import { tlsFault } from './tls.js';

/** How much a check reads from a server at most. More proves nothing and would only take memory. */
export const MAX_RECEIVED_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024;
/** More than any protocol here needs. A server that never reads could make a check queue megabytes of responses. */
const MAX_SENT_MESSAGES = 100;
/** How many pieces, such as lines or heads of messages, a check takes at most: enough for 100,000 rows of a table. */
const MAX_TAKEN_PIECES = 200_000;
/** After so many pieces, which may all have arrived at once, other checks have a turn. */
const PIECES_PER_TURN = 1_000;
/** How long a server has to close the connection after a farewell. */
const FAREWELL_MS = 500;

/** Where to connect to; `tls` starts TLS before anything else is sent. */
export interface Peer {
  host: string;
  port: number;
  tls: Omit<SecureHost, 'host'> | null;
}

/**
 * Connects, runs `talk`, and closes the connection afterwards, however it ends. The response time is the time until then.
 * Rejects with a `ProbeFault`, or with the error of `talk`.
 */
export async function converse<T>(
  { host, port, tls }: Peer,
  seen: Observation,
  context: Means,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const conversation = new Conversation(await dial(host, port, seen, context), host, seen, context);
  try {
    if (tls) await conversation.secure(tls);
    const result = await talk(conversation);
    if (conversation.hasResponse) seen.clock.lap('transferMs');
    seen.responseTimeMs = seen.clock.elapsedMs();
    await conversation.leave();
    return result;
  } finally {
    await conversation.close();
  }
}

/**
 * An exchange of messages with a server, for protocols in which both sides take turns. Whatever the server does, reading
 * ends at the deadline, and no more than `MAX_RECEIVED_BYTES` are kept. Methods reject with a `ProbeFault`: `timeout`,
 * `connection_reset`, `response_too_large`, `protocol_error`, or `tls_…`.
 */
export class Conversation {
  private current: Socket;
  private readonly buffer = new BodyBuffer(true, (fault) => this.fail(fault), MAX_RECEIVED_BYTES);
  private takenBytes = 0;
  private takenPieces = 0;
  private sentMessages = 0;
  private receivedBytes = 0;
  private receivedAt = 0;
  private fault: Error | null = null;
  private isClosed = false;
  private wake: (() => void) | null = null;
  private farewell: Buffer | string | null = null;

  constructor(
    private readonly plain: Socket,
    private readonly host: string,
    private readonly seen: Observation,
    private readonly context: Means,
  ) {
    this.current = plain;
    plain.setNoDelay(true);
    this.listen();
    if (context.deadline.isOver) this.onDeadline();
    else context.deadline.on(this.onDeadline);
  }

  /** What has arrived and has not been taken. */
  get unread(): Buffer {
    return this.buffer.bytes().subarray(this.takenBytes);
  }

  /** Whether anything has arrived. */
  get hasResponse(): boolean {
    return this.receivedBytes > 0;
  }

  /** Sends a message. @throws ProbeFault if the server has asked for too many */
  send(data: string | Buffer): void {
    if (this.isClosed || this.fault) return;
    this.sentMessages += 1;
    if (this.sentMessages > MAX_SENT_MESSAGES) {
      const what = `The server asked for more than the ${MAX_SENT_MESSAGES} messages that a check sends.`;
      throw new ProbeFault('protocol_error', what);
    }
    this.current.write(data);
  }

  /** Sets what is sent once the check has passed, so that the server need not log a lost connection. */
  leaveWith(farewell: Buffer | string): void {
    this.farewell = farewell;
  }

  /** Sends the farewell, if there is one, and waits a moment for the server to close the connection. */
  async leave(): Promise<void> {
    if (this.farewell === null) return;
    this.send(this.farewell);
    await this.endWithin(FAREWELL_MS);
  }

  /**
   * Waits this long, or until the connection ends or the deadline is reached. If something arrives meanwhile, the rest of
   * the wait does not count as part of the response time.
   */
  async pause(ms: number): Promise<void> {
    const before = this.receivedBytes;
    await this.endWithin(ms);
    if (this.receivedBytes > before) this.seen.clock.skip(performance.now() - this.receivedAt);
  }

  /** Takes bytes once `length`, called with all that is unread, returns how many. */
  async take(length: (unread: Buffer) => number | null): Promise<Buffer> {
    this.takenPieces += 1;
    if (this.takenPieces > MAX_TAKEN_PIECES) throw tooMany();
    if (this.takenPieces % PIECES_PER_TURN === 0) {
      await nextTurn();
      if (this.fault) throw this.fault;
    }
    for (;;) {
      const { unread } = this;
      const count = length(unread);
      if (count !== null && count <= unread.length) {
        this.takenBytes += count;
        return unread.subarray(0, count);
      }
      if (!(await this.more())) throw brokenOff();
    }
  }

  /** Takes this many bytes. */
  bytes(count: number): Promise<Buffer> {
    if (count > MAX_RECEIVED_BYTES) throw tooLarge();
    return this.take(() => count);
  }

  /** Takes one line, and returns it without its line break. */
  async line(): Promise<string> {
    const line = await this.take((unread) => {
      const at = unread.indexOf(10);
      if (at < 0 && unread.length > MAX_LINE_BYTES) throw tooLarge();
      return at < 0 ? null : at + 1;
    });
    return line.toString('utf8').replace(/\r?\n$/, '');
  }

  /** Waits until more has arrived. Returns false if the server has closed the connection instead. */
  async more(): Promise<boolean> {
    const before = this.receivedBytes;
    while (this.receivedBytes === before) {
      if (this.fault) throw this.fault;
      if (this.isClosed) return false;
      await this.change();
    }
    return true;
  }

  /** Starts TLS. Anything that the server sent too early would not be protected, so it is refused. */
  async secure(options: Omit<SecureHost, 'host'>): Promise<void> {
    if (this.unread.length > 0) throw new ProbeFault('protocol_error', 'The server sent data before TLS had started.');
    this.deafen();
    this.current = await secure(this.plain, { host: this.host, ...options }, this.seen, this.context);
    this.listen();
  }

  async close(): Promise<void> {
    this.release();
    await hangUp(this.plain, this.current);
  }

  /** Ends the exchange, but leaves the connection open for its next user. */
  release(): void {
    this.context.deadline.off(this.onDeadline);
    this.deafen();
    this.buffer.release();
  }

  private listen(): void {
    this.current.on('data', this.onData).on('end', this.onClose).on('close', this.onClose).on('error', this.onError);
  }

  private deafen(): void {
    this.current.off('data', this.onData).off('end', this.onClose).off('close', this.onClose);
    this.current.pause();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.receivedBytes === 0) this.seen.clock.lap('firstByteMs');
    this.receivedBytes += chunk.length;
    this.receivedAt = performance.now();
    if (this.receivedBytes > MAX_RECEIVED_BYTES) return this.fail(tooLarge());
    this.buffer.append(chunk);
    this.notify();
  };

  private readonly onClose = (): void => {
    this.isClosed = true;
    this.notify();
  };

  private readonly onError = (error: Error): void => {
    this.fail(isOwnFault(error) ? error : faultOf(error));
  };

  private readonly onDeadline = (): void => {
    const what = this.receivedBytes === 0 ? 'The server did not respond in time.' : 'The response timed out.';
    this.fail(new ProbeFault('timeout', what));
  };

  private fail(fault: Error): void {
    this.fault ??= fault;
    closeSocket(this.plain);
    this.notify();
  }

  /** Waits for the end of the connection, but no longer than this. */
  private async endWithin(ms: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.notify();
    }, ms);
    while (!this.isClosed && !this.fault && !isLate) await this.change();
    clearTimeout(timer);
  }

  /** Settles when something has arrived or the connection has ended. */
  private change(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private notify(): void {
    this.wake?.();
    this.wake = null;
  }
}

function brokenOff(): ProbeFault {
  return new ProbeFault('connection_reset', 'The server closed the connection before the check was complete.');
}

function tooLarge(): ProbeFault {
  return new ProbeFault(
    'response_too_large',
    'The response exceeds what a check reads: 16 KiB per line and 1 MiB in total.',
  );
}

function tooMany(): ProbeFault {
  return new ProbeFault('response_too_large', 'The response consists of more messages than a check reads.');
}

function faultOf(error: Error): ProbeFault {
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  return code.startsWith('ERR_SSL') || code === 'EPROTO' ? tlsFault(error) : brokenOff();
}
