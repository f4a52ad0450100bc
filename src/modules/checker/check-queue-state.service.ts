import { Injectable } from '@nestjs/common';
import { CheckQueue, type QueueFigures } from './check-queue.js';

/** Reports the state of the queue to other modules. */
@Injectable()
export class CheckQueueStateService {
  constructor(private readonly queue: CheckQueue) {}

  /** Why jobs cannot be sent now; `null` while they can. */
  get fault(): string | null {
    return this.queue.fault;
  }

  /** What waits in the queues of this process; empty while it is unknown. */
  get waiting(): readonly QueueFigures[] {
    return this.queue.waiting;
  }
}
