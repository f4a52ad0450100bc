import { Injectable } from '@nestjs/common';
import { CheckQueue, type CheckResult } from './check-queue.js';

export type FinishedCheck = Readonly<CheckResult>;

/** Shows other modules the results as they come back from the runners, in batches, before they are recorded. */
@Injectable()
export class FinishedChecksService {
  constructor(private readonly queue: CheckQueue) {}

  /** `look` is called in the path of every result: it must be quick, and must not throw. */
  onFinished(look: (checks: readonly FinishedCheck[]) => void): void {
    this.queue.onResults(look);
  }
}
