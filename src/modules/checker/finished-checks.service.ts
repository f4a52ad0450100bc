import { Injectable } from '@nestjs/common';
import { CheckQueue, type CheckResult } from './check-queue.js';

export type FinishedCheck = Readonly<CheckResult>;

/** Passes results to other modules as they arrive from the runners, in batches, before they are recorded. */
@Injectable()
export class FinishedChecksService {
  constructor(private readonly queue: CheckQueue) {}

  /** Registers a callback. Every result passes through it, so it must be fast and must not throw. */
  onFinished(look: (checks: readonly FinishedCheck[]) => void): void {
    this.queue.onResults(look);
  }

  /** Registers a callback that is called when the dispatcher of this process learns of results. It must not throw. */
  onSettled(look: () => void): void {
    this.queue.onVerdicts(look);
  }
}
