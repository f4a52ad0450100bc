import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RedisModule } from '../../redis/redis.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { CheckResultsService } from './check-results.service.js';
import { Check } from './check.entity.js';
import { ChecksController } from './checks.controller.js';
import { ChecksService } from './checks.service.js';
import { EgressService } from './egress.service.js';
import { JobSecretsService } from './job-secrets.service.js';
import { LatestChecksService } from './latest-checks.service.js';
import { PartitionsService } from './partitions.service.js';
import { ResponseTimesController } from './response-times.controller.js';
import { ResponseTimesService } from './response-times.service.js';
import { TrialChecksController } from './trial-checks.controller.js';
import { TrialChecksService } from './trial-checks.service.js';
import { TRIALS } from './trial-queue.provider.js';
import { TrialRunnerService } from './trial-runner.service.js';
import { TrialWorkersService } from './trial-workers.service.js';

/** Check results, requested checks, and trial checks of definitions that are not stored. */
@Module({
  imports: [TypeOrmModule.forFeature([Check]), LocationsModule, MonitorsModule, RedisModule],
  controllers: [ChecksController, ResponseTimesController, TrialChecksController],
  providers: [
    CheckResultsService,
    ChecksService,
    EgressService,
    JobSecretsService,
    LatestChecksService,
    PartitionsService,
    ResponseTimesService,
    TRIALS,
    TrialChecksService,
    TrialRunnerService,
    TrialWorkersService,
  ],
  exports: [
    CheckResultsService,
    ChecksService,
    EgressService,
    JobSecretsService,
    LatestChecksService,
    PartitionsService,
    ResponseTimesService,
    TrialChecksService,
    TrialRunnerService,
  ],
})
export class ChecksModule {}
