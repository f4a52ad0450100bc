import { type PingKind } from '../../domain/heartbeat/heartbeat.js';

const BURST = 10;
const PER_MS = BURST / 10_000;

/**
 * Limits the reports of one job to ten in ten seconds. A report of another kind than the last one is always accepted,
 * because it says something new.
 */
export class PingLimit {
  private left = BURST;
  private refilledAt = 0;
  private lastKind: PingKind | null = null;

  /** Returns whether to accept a report. Times are milliseconds of a monotonic clock. */
  accepts(kind: PingKind, nowMs: number): boolean {
    this.left = Math.min(BURST, this.left + (nowMs - this.refilledAt) * PER_MS);
    this.refilledAt = nowMs;
    if (kind === this.lastKind && this.left < 1) return false;
    this.left = Math.max(0, this.left - 1);
    this.lastKind = kind;
    return true;
  }

  /** Seconds until a further report of the same kind is accepted. */
  get retryAfterSeconds(): number {
    return Math.ceil((1 - this.left) / PER_MS / 1_000);
  }
}
