import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type ProbeOutcome } from '../../domain/check-result.js';
import { ProblemException } from '../../http/problems/problem.js';
import { type Trial, TrialQueue } from './trial-queue.js';
import { TrialRunnerService } from './trial-runner.service.js';

/** Has trial checks run by a process with the role `worker` at their location: this one if it is. */
@Injectable()
export class TrialWorkersService implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly config: AppConfig,
    private readonly runner: TrialRunnerService,
    @Inject(TrialQueue) private readonly queue: TrialQueue | null,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.has('worker')) this.queue?.serve((trial) => this.runner.run(trial));
  }

  async onModuleDestroy(): Promise<void> {
    await this.queue?.close();
  }

  /** @throws 503 if there is no worker */
  run(trial: Trial): Promise<ProbeOutcome> {
    if (this.config.has('worker') && trial.location === this.config.get('LOCATION')) return this.runner.run(trial);
    if (this.queue) return this.queue.run(trial);
    throw new ProblemException(503, 'unavailable', 'This process runs no checks, and has no REDIS_URL to reach one.');
  }
}
