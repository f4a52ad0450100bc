import { Injectable } from '@nestjs/common';
import { type CheckJob, CheckQueue, type CheckResult } from './check-queue.js';

/** The queue of a single process: delivers in memory and synchronously. */
@Injectable()
export class InProcessQueue extends CheckQueue {
  private readonly jobConsumers: ((jobs: readonly CheckJob[]) => void)[] = [];
  private readonly resultConsumers: ((results: readonly CheckResult[]) => void)[] = [];

  sendJobs(jobs: readonly CheckJob[]): Promise<void> {
    for (const consumer of this.jobConsumers) consumer(jobs);
    return Promise.resolve();
  }

  sendResults(results: readonly CheckResult[]): Promise<void> {
    for (const consumer of this.resultConsumers) consumer(results);
    return Promise.resolve();
  }

  onJobs(consumer: (jobs: readonly CheckJob[]) => void): void {
    this.jobConsumers.push(consumer);
  }

  onResults(consumer: (results: readonly CheckResult[]) => void): void {
    this.resultConsumers.push(consumer);
  }
}
