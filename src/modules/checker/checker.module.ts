import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { ChecksModule } from '../checks/checks.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { CheckQueue } from './check-queue.js';
import { DispatcherService } from './dispatcher.service.js';
import { InProcessQueue } from './in-process.queue.js';
import { LeaseService } from './lease.service.js';
import { RecorderService } from './recorder.service.js';
import { RunnerService } from './runner.service.js';
import { SlotClockService } from './slot-clock.service.js';
import { SweeperService } from './sweeper.service.js';

/** Of the 25 s that a stop may take. */
const FINISH_CHECKS_MS = 12_000;
const FINISH_RECORDING_MS = 6_000;

/** Checks what is due: dispatcher → queue → runner → queue → recorder. */
@Module({
  imports: [ChecksModule, MonitorsModule, UptimeModule],
  providers: [
    { provide: CheckQueue, useClass: InProcessQueue },
    DispatcherService,
    LeaseService,
    RecorderService,
    RunnerService,
    SlotClockService,
    SweeperService,
  ],
  exports: [DispatcherService, RecorderService, RunnerService],
})
export class CheckerModule implements BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: DispatcherService,
    private readonly runner: RunnerService,
    private readonly recorder: RecorderService,
  ) {}

  /** Stops along the flow, so that what was begun is recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    await this.runner.stop(FINISH_CHECKS_MS);
    await this.recorder.stop(FINISH_RECORDING_MS);
  }
}
