import { Module } from '@nestjs/common';
import { CheckerModule } from '../checker/checker.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { HeartbeatIndexService } from './heartbeat-index.service.js';
import { PingHandler } from './ping.handler.js';
import { PingsService } from './pings.service.js';

/** Receives the reports of jobs. */
@Module({
  imports: [CheckerModule, MonitorsModule],
  providers: [HeartbeatIndexService, PingHandler, PingsService],
  exports: [PingHandler],
})
export class HeartbeatsModule {}
