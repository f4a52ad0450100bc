import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { DailyRollup } from './daily-rollup.entity.js';
import { RollupsService } from './rollups.service.js';
import { UptimeController } from './uptime.controller.js';
import { UptimeService } from './uptime.service.js';

/** Daily figures. */
@Module({
  imports: [TypeOrmModule.forFeature([DailyRollup]), MonitorsModule],
  controllers: [UptimeController],
  providers: [RollupsService, UptimeService],
  exports: [RollupsService, UptimeService],
})
export class UptimeModule {}
