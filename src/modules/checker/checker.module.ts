import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import { AppConfig } from '../../config/app-config.js';
import { Drain } from '../../http/drain.js';
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
import { Lease } from './lease.entity.js';
import { LeaseService } from './lease.service.js';
import { RecorderService } from './recorder.service.js';
import { RunnerService } from './runner.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { Spool } from './spool.js';
import { SweeperService } from './sweeper.service.js';

/** Of the 5 s that a stop may take, from its beginning. What is not recorded by then goes to the spool. */
const FINISH_CHECKS_BY_MS = 3_000;
const FINISH_RECORDING_BY_MS = 4_000;

/** Checks what is due: dispatcher → queue → runner → queue → recorder. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Lease]),
    ChecksModule,
    IncidentsModule,
    MaintenanceModule,
    MonitorsModule,
    UptimeModule,
  ],
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
  exports: [
    CanariesService,
    DispatcherService,
    FinishedChecksService,
    RecorderService,
    RunnerService,
    SlotClockService,
  ],
})
export class CheckerModule implements BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly recorder: RecorderService,
    private readonly canaries: CanariesService,
    private readonly drain: Drain,
  ) {}

  /**
   * Checks go on until nobody is connected any more. Then it stops along the flow, so that what was begun is recorded:
   * checks that have not finished in time count as missed.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const beganAt = performance.now();
    const left = (byMs: number): number => Math.max(0, byMs - (performance.now() - beganAt));
    await this.drain.end();
    await this.dispatcher.stop();
    await this.runner.stop(left(FINISH_CHECKS_BY_MS));
    this.canaries.stop();
    await this.recorder.stop(left(FINISH_RECORDING_BY_MS));
  }
}
