import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import { AppConfig } from '../../config/app-config.js';
import { RedisModule } from '../../redis/redis.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { ChecksModule } from '../checks/checks.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { LocationLossesModule } from '../monitors/history/location-losses.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { CanariesService } from './canaries.service.js';
import { CheckFlowService } from './check-flow.service.js';
import { CheckQueueStateService } from './check-queue-state.service.js';
import { DatabaseTimeService } from './database-time.service.js';
import { DispatcherService } from './dispatcher.service.js';
import { FinishedChecksService } from './finished-checks.service.js';
import { HeartbeatDeadlinesService } from './heartbeat-deadlines.service.js';
import { HousekeepingService } from './housekeeping.service.js';
import { Lease } from './lease.entity.js';
import { LeaseService } from './lease.service.js';
import { LocationWatchService } from './location-watch.service.js';
import { Process } from './process.entity.js';
import { ProcessesService } from './processes.service.js';
import { QUEUE } from './queue.provider.js';
import { RecorderLeasesService } from './recorder-leases.service.js';
import { RecorderService } from './recorder.service.js';
import { ServedMarksService } from './redis/served-marks.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { RunnerService } from './runner.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { Spool } from './spool.js';
import { SweeperLeaseService } from './sweeper-lease.service.js';
import { SweeperService } from './sweeper.service.js';
import { WaitingReportsService } from './waiting-reports.service.js';
import { WorkerPresence } from './worker-presence.js';
import { WorkerReportsService } from './worker-reports.service.js';

/** Runs and records the checks that are due: see {@link CheckFlowService}. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Lease, Process]),
    ApiKeysModule,
    CertificatesModule,
    DomainsModule,
    ChecksModule,
    IncidentsModule,
    LocationLossesModule,
    LocationsModule,
    MaintenanceModule,
    MonitorsModule,
    RedisModule,
    UptimeModule,
  ],
  providers: [
    QUEUE,
    CanariesService,
    CheckFlowService,
    CheckQueueStateService,
    DatabaseTimeService,
    DispatcherService,
    FinishedChecksService,
    HeartbeatDeadlinesService,
    HousekeepingService,
    LeaseService,
    LocationWatchService,
    ProcessesService,
    RecorderLeasesService,
    RecorderService,
    ResultIntakeService,
    RunnerService,
    ServedMarksService,
    SlotClockService,
    {
      provide: Spool,
      inject: [AppConfig],
      useFactory: (config: AppConfig) =>
        new Spool(join(config.get('DATA_DIR'), 'spool'), config.get('SPOOL_MAX_MB') * 1_048_576),
    },
    SweeperLeaseService,
    SweeperService,
    WaitingReportsService,
    { provide: WorkerPresence, useExisting: ProcessesService },
    WorkerReportsService,
  ],
  exports: [
    CanariesService,
    CheckQueueStateService,
    DispatcherService,
    FinishedChecksService,
    RecorderLeasesService,
    RecorderService,
    ResultIntakeService,
    RunnerService,
    SlotClockService,
    SweeperLeaseService,
  ],
})
export class CheckerModule {}
