import { Injectable } from '@nestjs/common';
import { DEFAULT_LOCATION, type LocationRules } from '../../domain/location.js';
import {
  type CheckJob,
  CheckQueue,
  type CheckResult,
  type JobConsumer,
  type QueueFigures,
  type ResultConsumer,
} from './check-queue.js';

/** The queue of a single process: delivers in memory and synchronously. */
@Injectable()
export class InProcessQueue extends CheckQueue {
  readonly fault = null;
  readonly isResponding: boolean = true;
  readonly keepsResults = false;
  /** What is sent is delivered at once. */
  readonly waiting: readonly QueueFigures[] = [
    { queue: 'checks', location: DEFAULT_LOCATION, shard: null, batches: 0, delayMs: 0 },
    { queue: 'results', location: DEFAULT_LOCATION, shard: 'all', batches: 0, delayMs: 0 },
  ];
  private readonly jobConsumers: JobConsumer[] = [];
  private readonly resultConsumers: ResultConsumer[] = [];
  private readonly verdictConsumers: ((results: readonly CheckResult[]) => void)[] = [];

  delayAt(): number {
    return 0;
  }

  sendJobs(jobs: readonly CheckJob[], rules: LocationRules): Promise<void> {
    for (const consumer of this.jobConsumers) consumer(jobs, rules);
    return Promise.resolve();
  }

  async sendResults(results: readonly CheckResult[]): Promise<void> {
    const stored = this.resultConsumers.map(async (consumer) => consumer(results));
    for (const consumer of this.verdictConsumers) consumer(results);
    await Promise.all(stored);
  }

  onJobs(consumer: JobConsumer): void {
    this.jobConsumers.push(consumer);
  }

  onResults(consumer: ResultConsumer): void {
    this.resultConsumers.push(consumer);
  }

  onVerdicts(consumer: (results: readonly CheckResult[]) => void): void {
    this.verdictConsumers.push(consumer);
  }

  /** One process dispatches and records all monitors. */
  record(): Promise<void> {
    return Promise.resolve();
  }

  noteRecording(): void {
    // Verdicts do not wait for it.
  }

  dispatch(): void {
    // Verdicts of all monitors are delivered in any case.
  }

  stopJobs(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
