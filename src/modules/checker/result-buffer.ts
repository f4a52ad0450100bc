import { type CheckResult } from './check-queue.js';

/** Maximum number of results in one transaction, or in one write to the spool. */
export const BATCH = 1_000;

/** Results in memory, oldest first. */
export class ResultBuffer {
  private results: CheckResult[] = [];
  /** Whether recording starts at once, because a caller waits for one of the results or a batch is complete. */
  private isUrgent = false;
  private stopGathering: () => void = () => undefined;

  get size(): number {
    return this.results.length;
  }

  add(results: readonly CheckResult[]): void {
    this.results.push(...results);
    this.isUrgent ||= this.size >= BATCH || results.some(({ attempt }) => attempt < 0);
    if (this.isUrgent) this.stopGathering();
  }

  /** Removes and returns the oldest results, a batch at most. */
  takeBatch(): CheckResult[] {
    const batch = this.results.splice(0, BATCH);
    this.isUrgent = this.size >= BATCH;
    return batch;
  }

  /** Puts results that could not be stored back in front of all others. */
  putBack(batch: readonly CheckResult[]): void {
    this.results.unshift(...batch);
  }

  /** Drops the newest results. */
  dropNewest(count: number): void {
    this.results.length -= count;
  }

  /** Waits for more results, for `ms` milliseconds at most, unless recording is urgent or `signal` aborts. */
  async gather(ms: number, signal: AbortSignal): Promise<void> {
    if (this.isUrgent || signal.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      this.stopGathering = end;
    });
  }
}
