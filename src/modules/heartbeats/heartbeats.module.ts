import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CheckerModule } from '../checker/checker.module.js';
import { EventLogModule } from '../events/event-log.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { HeartbeatIndexService } from './heartbeat-index.service.js';
import { KeyedPingsService } from './ping-keys/keyed-pings.service.js';
import { PingKeyIndexService } from './ping-keys/ping-key-index.service.js';
import { PingKey } from './ping-keys/ping-key.entity.js';
import { PingKeysController } from './ping-keys/ping-keys.controller.js';
import { PingKeysService } from './ping-keys/ping-keys.service.js';
import { PingHandler } from './ping.handler.js';
import { PingsService } from './pings.service.js';

/** Receives the reports of jobs. */
@Module({
  imports: [
    ApiKeysModule,
    CheckerModule,
    EventLogModule,
    MonitorsModule,
    TeamsModule,
    TypeOrmModule.forFeature([PingKey]),
  ],
  controllers: [PingKeysController],
  providers: [
    HeartbeatIndexService,
    KeyedPingsService,
    PingHandler,
    PingKeyIndexService,
    PingKeysService,
    PingsService,
  ],
  exports: [PingHandler, PingKeysService, PingsService],
})
export class HeartbeatsModule {}
