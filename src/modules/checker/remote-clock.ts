import { type ClockReading, corrected, readAt } from '../../domain/shared-clock.js';

/** A clock on another machine, which is asked now and then and estimated in between. */
export class RemoteClock {
  private reading: ClockReading | null = null;

  /** @param ask returns what the clock shows, in epoch milliseconds */
  constructor(private readonly ask: () => Promise<number>) {}

  /** Asks the clock, and returns what is then known of it. Rejects if it does not respond. */
  async compare(): Promise<ClockReading> {
    const sentAt = performance.now();
    const nowMs = await this.ask();
    this.reading = corrected(this.reading, { nowMs, sentAt, receivedAt: performance.now() });
    return this.reading;
  }

  /** Returns what the clock shows now, in epoch milliseconds. Asks it only the first time. */
  async now(): Promise<number> {
    return readAt(this.reading ?? (await this.compare()), performance.now());
  }
}
