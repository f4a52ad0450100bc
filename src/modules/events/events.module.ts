import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { EventLogModule } from './event-log.module.js';
import { EventRetention } from './event-retention.service.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreams } from './event-streams.service.js';
import { Event } from './event.entity.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { UnplannedEvent } from './unplanned-event.entity.js';
import { UnpublishedEvent } from './unpublished-event.entity.js';

/** The log of everything that happened: feed, stream and audit log. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Event, UnplannedEvent, UnpublishedEvent]),
    ApiKeysModule,
    EventLogModule,
    TeamsModule,
  ],
  controllers: [EventStreamController, EventsController],
  providers: [EventRetention, EventStreams, EventsService],
  exports: [EventLogModule, EventsService],
})
export class EventsModule {}
