import { Module } from '@nestjs/common';
import { CheckerModule } from '../checker/checker.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsService } from './metrics.service.js';

/** Liveness, readiness, metrics. */
@Module({
  imports: [CheckerModule],
  controllers: [HealthController],
  providers: [HealthService, MetricsService],
})
export class HealthModule {}
