import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AppConfig } from '../../config/app-config.js';
import { countDelays, makeDelayMemory } from '../../probes/thread/loop-delay.js';
import { CanariesService } from '../checker/canaries.service.js';
import { RunnerService } from '../checker/runner.service.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { TrialRunnerService } from '../checks/trial-runner.service.js';
import { MetricsSource } from './metrics-source.js';
import { delaysText } from './pressure.js';
import { registerProbing, registerProcess } from './process-figures.js';

/**
 * The metrics of a process that only makes checks: of its threads and its network. Its results are counted where they
 * are recorded.
 */
@Injectable()
export class WorkerMetricsService extends MetricsSource implements OnModuleDestroy {
  private readonly registry = new Registry();
  private readonly delays = makeDelayMemory();
  private stopCounting = (): void => undefined;

  constructor(
    config: AppConfig,
    private readonly runner: RunnerService,
    private readonly trials: TrialRunnerService,
    canaries: CanariesService,
    clock: SlotClockService,
  ) {
    super(config);
    if (!this.isEnabled) return;
    this.stopCounting = countDelays(this.delays, () => undefined);
    registerProcess(this.registry, config.get('ROLES'));
    registerProbing(this.registry, { runner, canaries, clock });
  }

  onModuleDestroy(): void {
    this.stopCounting();
  }

  protected async *text(): AsyncGenerator<string> {
    yield await this.registryText(this.registry);
    yield delaysText({ main: this.delays, runner: this.runner, trials: this.trials });
  }
}
