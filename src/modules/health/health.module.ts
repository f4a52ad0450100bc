import { Module } from '@nestjs/common';
import { CheckerModule } from '../checker/checker.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Liveness, readiness and the route of the metrics. */
@Module({
  imports: [CheckerModule, MetricsModule],
  controllers: [HealthController],
  providers: [HealthService],
})
export class HealthModule {}
