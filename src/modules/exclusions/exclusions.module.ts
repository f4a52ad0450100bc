import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { Exclusion } from './exclusion.entity.js';
import { ExclusionsController } from './exclusions.controller.js';
import { ExclusionsService } from './exclusions.service.js';

/** Time that is taken out of figures, by whom and why. */
@Module({
  imports: [TypeOrmModule.forFeature([Exclusion]), MonitorsModule, TeamsModule],
  controllers: [ExclusionsController],
  providers: [ExclusionsService],
})
export class ExclusionsModule {}
