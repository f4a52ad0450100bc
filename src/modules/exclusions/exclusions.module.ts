import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { Exclusion } from './exclusion.entity.js';
import { ExclusionsController } from './exclusions.controller.js';
import { ExclusionsService } from './exclusions.service.js';

/** Exclusions of past time from the figures of monitors. */
@Module({
  imports: [TypeOrmModule.forFeature([Exclusion]), EventLogModule, MonitorsModule, TeamsModule],
  controllers: [ExclusionsController],
  providers: [ExclusionsService],
  exports: [ExclusionsService],
})
export class ExclusionsModule {}
