import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChecksModule } from '../checks/checks.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { DailyRollup } from './daily-rollup.entity.js';
import { LocationFiguresService } from './location-figures.service.js';
import { RollupOrderService } from './rollup-order.service.js';
import { RollupsService } from './rollups.service.js';
import { SlaReportsController } from './sla-reports.controller.js';
import { SlaReportsService } from './sla-reports.service.js';
import { SlotsService } from './slots.service.js';
import { UptimeController } from './uptime.controller.js';
import { UptimeService } from './uptime.service.js';

/** Uptime by day, daily roll-ups and SLA reports. */
@Module({
  imports: [TypeOrmModule.forFeature([DailyRollup]), ChecksModule, MonitorsModule],
  controllers: [SlaReportsController, UptimeController],
  providers: [
    LocationFiguresService,
    RollupOrderService,
    RollupsService,
    SlaReportsService,
    SlotsService,
    UptimeService,
  ],
  exports: [LocationFiguresService, RollupOrderService, RollupsService, UptimeService],
})
export class UptimeModule {}
