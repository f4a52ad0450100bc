import { Logger } from '@nestjs/common';

/** Maximum number of results in memory while neither the database nor the spool accepts them. */
const MAX_WAITING = 100_000;
/**
 * More results than this waiting for a database that answers, or this many more in the spool, show that it is too slow.
 */
export const BEHIND_ABOVE = 4_000;

/** Determines when results arrive faster than they can be stored, and reports the results that are dropped. */
export class Overload {
  private readonly logger = new Logger('ResultFlow');
  /** The fewest results in the spool since the database was last away. */
  private leastSpooled = 0;
  /** Results dropped since memory was last full. */
  private lost = 0;

  /**
   * Sets the number of spooled results that do not count as overload: they were written while the database was away.
   */
  allow(spooled: number): void {
    this.leastSpooled = spooled;
  }

  /** Lowers that number after the spool has shrunk. */
  shrunk(spooled: number): void {
    this.leastSpooled = Math.min(this.leastSpooled, spooled);
  }

  isBehind(waiting: number, spooled: number): boolean {
    return waiting > BEHIND_ABOVE || this.hasGrown(spooled);
  }

  /** Whether the spool has grown although the database answered. */
  hasGrown(spooled: number): boolean {
    return spooled > this.leastSpooled + BEHIND_ABOVE;
  }

  /** Returns how many of the newest results to drop. */
  excess(waiting: number): number {
    const excess = Math.max(0, waiting - MAX_WAITING);
    if (excess > 0 && this.lost === 0) {
      this.logger.error('results are dropped: neither the database nor the spool accepts them, and memory is full');
    }
    this.lost += excess;
    return excess;
  }

  /**
   * Reports the loss once memory is half empty: while a full spool drains, results are dropped and accepted in turns.
   */
  reportLoss(waiting: number): void {
    if (this.lost === 0 || waiting > MAX_WAITING / 2) return;
    this.logger.error(`${this.lost} results were dropped; new results are accepted again`);
    this.lost = 0;
  }
}
