import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { join } from 'node:path';
import { AppConfig } from '../../config/app-config.js';
import { ChecksModule } from '../checks/checks.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { CanariesService } from './canaries.service.js';
import { CheckQueue } from './check-queue.js';
import { DispatcherService } from './dispatcher.service.js';
import { FinishedChecksService } from './finished-checks.service.js';
import { HousekeepingService } from './housekeeping.service.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { RecorderService } from './recorder.service.js';
import { RunnerService } from './runner.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { Spool } from './spool.js';
import { SweeperService } from './sweeper.service.js';

/** Of the 25 s that a stop may take. */
const FINISH_CHECKS_MS = 12_000;
const FINISH_RECORDING_MS = 6_000;

/** Checks what is due: dispatcher → queue → runner → queue → recorder. */
@Module({
  imports: [ChecksModule, IncidentsModule, MaintenanceModule, MonitorsModule, UptimeModule],
  providers: [
    { provide: CheckQueue, useClass: InProcessQueue },
    CanariesService,
    DispatcherService,
    FinishedChecksService,
    HousekeepingService,
    LeaseService,
    RecorderService,
    RunnerService,
    SlotClockService,
    {
      provide: Spool,
      inject: [AppConfig],
      useFactory: (config: AppConfig) =>
        new Spool(join(config.get('DATA_DIR'), 'spool'), config.get('SPOOL_MAX_MB') * 1_048_576),
    },
    SweeperService,
  ],
  exports: [CanariesService, DispatcherService, FinishedChecksService, RecorderService, RunnerService],
})
export class CheckerModule implements BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly recorder: RecorderService,
    private readonly canaries: CanariesService,
  ) {}

  /** Stops along the flow, so that what was begun is recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    await this.runner.stop(FINISH_CHECKS_MS);
    this.canaries.stop();
    await this.recorder.stop(FINISH_RECORDING_MS);
  }
}
