import { findsPattern } from '../../domain/text-pattern.js';
import { type Evaluate } from '../evaluation.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { type Encoding, type ResponseSettings } from './expectation-settings.dto.js';

/** A search may take at most this part of the time until the next one, however the response arrives. */
const PAUSE_FACTOR = 10;
/** Texts up to this length are searched within a millisecond, whatever the pattern. */
const CHEAP_CHARACTERS = 1_024;

/** What a response must contain. */
export class Expectation {
  private readonly needle: Buffer | null;

  constructor(
    private readonly settings: ResponseSettings & { send?: string | null },
    private readonly evaluate: Evaluate,
  ) {
    this.needle = settings.expect == null ? null : bytesOf(settings.expect, settings.encoding);
  }

  /** The bytes to send; `null` for none. */
  get request(): Buffer | null {
    const { send, encoding } = this.settings;
    return send == null ? null : bytesOf(send, encoding);
  }

  /** Whether any response will do. */
  get isOpen(): boolean {
    return this.needle === null && this.settings.expectMatches == null;
  }

  /** Returns whether a response contains what it must. `from`: the number of bytes that were searched before. */
  isMetBy(response: Buffer, from = 0): boolean {
    const { expectMatches, encoding } = this.settings;
    if (this.needle) return response.includes(this.needle, Math.max(0, from - this.needle.length));
    if (expectMatches == null) return true;
    const text = response.toString(encoding);
    if (text.length <= CHEAP_CHARACTERS) return findsPattern(expectMatches, text);
    let found = false;
    const isOver = this.evaluate(() => (found = findsPattern(expectMatches, text)));
    return isOver && found;
  }

  /** Reads until the response contains what it must. Rejects with a `ProbeFault` if it does not, also at the deadline. */
  async await(conversation: Conversation): Promise<void> {
    for (let searched = 0; ;) {
      const isAhead = conversation.unread.length > searched;
      const hasMore = isAhead || (await conversation.more().catch((fault: unknown) => fault as Error));
      const { unread } = conversation;
      const startedAt = performance.now();
      if (unread.length > searched && this.isMetBy(unread, searched)) return;
      if (hasMore instanceof Error) throw unread.length > 0 && isTimeout(hasMore) ? unexpected() : hasMore;
      if (!hasMore) throw unread.length > 0 ? unexpected() : closed();
      searched = unread.length;
      const tookMs = performance.now() - startedAt;
      if (tookMs > 1) await conversation.pause(tookMs * PAUSE_FACTOR);
    }
  }
}

/** Returns the fault of a response that does not contain what it must. */
export function unexpected(): ProbeFault {
  return new ProbeFault('unexpected_response', 'The response does not contain what is expected.');
}

function closed(): ProbeFault {
  return new ProbeFault('connection_reset', 'The server closed the connection without a response.');
}

/** Returns whether an error means that nothing else arrived in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof ProbeFault && error.code === 'timeout';
}

function bytesOf(text: string, encoding: Encoding = 'utf8'): Buffer {
  return Buffer.from(encoding === 'hex' ? text.replace(/\s/g, '') : text, encoding);
}
