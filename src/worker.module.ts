import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { CanariesService } from './modules/checker/canaries.service.js';
import { JobSecretsService } from './modules/checks/job-secrets.service.js';
import { QUEUE } from './modules/checker/queue.provider.js';
import { RunnerService } from './modules/checker/runner.service.js';
import { SlotClockService } from './modules/checker/slot-clock.service.js';
import { WorkerController } from './modules/checker/worker.controller.js';
import { WorkerFlowService } from './modules/checker/worker-flow.service.js';
import { RedisPresence } from './modules/checker/redis/redis-presence.js';
import { WorkerPresence } from './modules/checker/worker-presence.js';
import { WorkerReportsService } from './modules/checker/worker-reports.service.js';
import { EgressService } from './modules/checks/egress.service.js';
import { TRIALS } from './modules/checks/trial-queue.provider.js';
import { TrialRunnerService } from './modules/checks/trial-runner.service.js';
import { TrialWorkersService } from './modules/checks/trial-workers.service.js';
import { MetricsListenerService } from './modules/metrics/metrics-listener.service.js';
import { MetricsSource } from './modules/metrics/metrics-source.js';
import { WorkerMetricsController } from './modules/metrics/worker-metrics.controller.js';
import { WorkerMetricsService } from './modules/metrics/worker-metrics.service.js';
import { type RedisLinks } from './redis/redis-links.js';
import { REDIS, RedisModule } from './redis/redis.module.js';

/** A process that only runs checks. It needs Redis, and neither the database nor `SECRET_KEY`. */
@Module({})
export class WorkerModule {
  static of(config: AppConfig): DynamicModule {
    return {
      module: WorkerModule,
      imports: [ConfigModule.of(config), RedisModule],
      controllers: [WorkerController, WorkerMetricsController],
      providers: [
        CanariesService,
        EgressService,
        JobSecretsService,
        MetricsListenerService,
        QUEUE,
        RunnerService,
        SlotClockService,
        TRIALS,
        TrialRunnerService,
        TrialWorkersService,
        WorkerFlowService,
        WorkerMetricsService,
        WorkerReportsService,
        { provide: MetricsSource, useExisting: WorkerMetricsService },
        {
          provide: WorkerPresence,
          inject: [AppConfig, REDIS],
          useFactory: (settings: AppConfig, links: RedisLinks) => new RedisPresence(settings, links),
        },
      ],
    };
  }
}
