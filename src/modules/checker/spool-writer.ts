import { Logger } from '@nestjs/common';
import { type CheckResult } from './check-queue.js';
import { type ResultBuffer } from './result-buffer.js';
import { type Spool } from './spool.js';

/** Time to wait after a failed write before the next attempt. */
const RETRY_MS = 500;

/** Moves results from memory to the spool, one batch at a time. */
export class SpoolWriter {
  private readonly logger = new Logger('ResultFlow');
  private writing: Promise<void> | null = null;
  private isFailing = false;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Number of results that are being written and are not confirmed yet. */
  inFlight = 0;

  /**
   * @param onWritten called with each batch that is on disk
   * @param onFailed called when the disk has not accepted a batch, which is in memory again
   */
  constructor(
    private readonly spool: Spool,
    private readonly buffer: ResultBuffer,
    private readonly onWritten: (results: readonly CheckResult[]) => void,
    private readonly onFailed: () => void,
  ) {}

  get isWriting(): boolean {
    return this.writing !== null;
  }

  /** Moves results while there are any and `wanted` returns true. `now`: even if a write has just failed. */
  start(wanted: () => boolean, { now = false } = {}): void {
    if (!now && performance.now() < this.failedAt + RETRY_MS) return;
    this.writing ??= this.write(wanted).finally(() => (this.writing = null));
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.writing;
  }

  private async write(wanted: () => boolean): Promise<void> {
    while (this.buffer.size > 0 && wanted()) {
      const batch = this.buffer.takeBatch();
      this.inFlight = batch.length;
      try {
        await this.spool.append(batch);
        this.inFlight = 0;
        if (this.isFailing) this.logger.log('the spool is writable again');
        this.isFailing = false;
        this.onWritten(batch);
      } catch (error) {
        this.inFlight = 0;
        this.buffer.putBack(batch);
        if (!this.isFailing) this.logger.error('cannot write to the spool: results stay in memory', error);
        this.isFailing = true;
        this.failedAt = performance.now();
        this.onFailed();
        return;
      }
    }
  }
}
