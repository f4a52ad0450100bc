import { type Response } from 'express';

/** A stream is full while this many bytes are buffered. */
const FULL_BYTES = 262_144;
/** Maximum number of bytes that are buffered by writers that do not heed that a stream is full. The reader reconnects. */
const MAX_WAITING_BYTES = 1_048_576;
/** A reader that takes nothing of what is buffered for this long, or up to twice as long, is disconnected. */
const STALLED_MS = 30_000;
const RETRY_MS = 3_000;

/** A stream of server-sent events. */
export interface EventStream {
  write(text: string): void;
  end(): void;
}

export interface OpenEventStream extends EventStream {
  /** Whether much of what was written is still buffered. What is written in one turn leaves only after that turn. */
  isFull(): boolean;
  /** Calls `listener` once the connection is closed, by either side. */
  onClose(listener: () => void): void;
  /** Calls `listener` whenever all that was buffered has left. */
  onDrain(listener: () => void): void;
}

/**
 * Answers a request with a stream of server-sent events. Returns null for HEAD, which only gets the headers, and if the
 * reader has gone in the meantime.
 */
export function beginEventStream(response: Response): OpenEventStream | null {
  // What has happened to the connection so far is not reported to listeners, so the stream would never be closed.
  if (response.closed || response.socket?.readableEnded) {
    response.destroy();
    return null;
  }
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    // Otherwise nginx would hold events back until its buffer is full.
    'X-Accel-Buffering': 'no',
    // No request follows the events, and a connection that is kept alive would delay the shutdown.
    Connection: 'close',
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return null;
  }
  // Otherwise a client would wait for the headers until the first event.
  response.write(`retry: ${RETRY_MS}\n\n`);
  // A reader that goes ends only its half of the connection, which does not close the response.
  response.socket?.once('end', () => response.destroy());
  // This also fires while there is nothing to send, but not while a slow reader takes what is buffered.
  response.setTimeout(STALLED_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
  return {
    isFull: () => response.writableLength > FULL_BYTES,
    write: (text) => {
      if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
      else response.write(text);
    },
    end: () => void response.end(),
    onClose: (listener) => void response.once('close', listener),
    onDrain: (listener) => void response.on('drain', listener),
  };
}
