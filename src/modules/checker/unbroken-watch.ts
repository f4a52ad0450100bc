/** Sweeps that are further apart than this were interrupted: by an absence of the service or of its database. */
const MAX_PAUSE_MS = 30_000;

/** Measures since when the service has been dispatching checks and storing what follows, without interruption. */
export class UnbrokenWatch {
  private since = Number.NEGATIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  /** Notes that it works at `nowMs`, and returns since when it has, in epoch milliseconds. */
  note(nowMs: number): number {
    if (Math.abs(nowMs - this.last) > MAX_PAUSE_MS) this.since = nowMs;
    this.last = nowMs;
    return this.since;
  }
}
