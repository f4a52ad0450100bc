import { Injectable } from '@nestjs/common';
import { CheckQueue } from './check-queue.js';

/** Tells other modules how the queue is. */
@Injectable()
export class CheckQueueStateService {
  constructor(private readonly queue: CheckQueue) {}

  /** Whether jobs can be sent now. */
  get isAvailable(): boolean {
    return this.queue.isAvailable;
  }

  /** By how many milliseconds a check is likely to be delayed in the queue. */
  get delayMs(): number {
    return this.queue.delayMs;
  }
}
