import { CheckerFault } from '../evaluation.js';

export const MAX_BODY_BYTES = 1024 * 1024;

const FIRST_BYTES = 4_096;
/** Limit for all bodies in progress in this thread together. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** The buffers that hold memory, oldest first. */
const holders = new Set<BodyBuffer>();
let totalBytes = 0;

/**
 * The body of one response, up to `maxBytes`, in memory that grows with the body, even if it arrives in tiny pieces. If all
 * bodies together take too much memory, the oldest ones are discarded, which is a fault of the service.
 */
export class BodyBuffer {
  private buffer = EMPTY;
  /** A body that arrived as one piece, which is not copied. */
  private whole: Buffer | null = null;
  private size = 0;
  private heldBytes = 0;

  constructor(
    private readonly keeps: boolean,
    private readonly onGivenUp: (fault: CheckerFault) => void,
    private readonly maxBytes: number = MAX_BODY_BYTES,
  ) {}

  /** The bytes that were appended, up to the limit, whether they are kept or not. */
  get length(): number {
    return this.size;
  }

  get isFull(): boolean {
    return this.size >= this.maxBytes;
  }

  append(chunk: Buffer): void {
    const part = chunk.subarray(0, this.maxBytes - this.size);
    this.size += part.length;
    if (!this.keeps) return;
    if (this.size === part.length && this.isWorthKeeping(part)) {
      this.whole = part;
      this.hold(part.buffer.byteLength);
      return;
    }
    const start = this.size - part.length;
    if (this.size > this.buffer.length || this.whole) this.grow(start);
    part.copy(this.buffer, start);
  }

  bytes(): Buffer {
    if (!this.keeps) return EMPTY;
    return this.whole ?? this.buffer.subarray(0, this.size);
  }

  /** Stops counting the memory, because it is no longer needed or now belongs to the caller that took the bytes. */
  release(): void {
    if (holders.delete(this)) totalBytes -= this.heldBytes;
    this.heldBytes = 0;
  }

  /** Returns false for a small part of the memory of one read, because retaining it would retain all of that memory. */
  private isWorthKeeping(part: Buffer): boolean {
    return 2 * part.length >= part.buffer.byteLength;
  }

  private grow(written: number): void {
    const wanted = Math.max(FIRST_BYTES, 2 * written, this.size);
    const next = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, wanted));
    (this.whole ?? this.buffer).copy(next, 0, 0, written);
    this.whole = null;
    this.buffer = next;
    this.hold(next.length);
  }

  private hold(bytes: number): void {
    totalBytes += bytes - this.heldBytes;
    this.heldBytes = bytes;
    holders.add(this);
    for (const oldest of holders) {
      if (totalBytes <= MAX_TOTAL_BYTES) break;
      oldest.release();
      oldest.onGivenUp(
        new CheckerFault('The service was receiving too many large responses at once, so this one was discarded.'),
      );
    }
  }
}
