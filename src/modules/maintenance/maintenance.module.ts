import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { AnnouncedMaintenanceService } from './announced-maintenance.service.js';
import { MaintenancePassesService } from './maintenance-passes.service.js';
import { MaintenanceRunsService } from './maintenance-runs.service.js';
import { MaintenanceWindowWritesService } from './maintenance-window-writes.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { MaintenanceWindowDefinitionsController } from './maintenance-window-definitions.controller.js';
import { MaintenanceWindowsController } from './maintenance-windows.controller.js';
import { MaintenanceWindowsService } from './maintenance-windows.service.js';
import { WindowLimit } from './window-limit.service.js';

/** Maintenance windows: their definitions, and their effects on monitors as time passes. */
@Module({
  imports: [TypeOrmModule.forFeature([MaintenanceWindow]), EventLogModule, MonitorsModule, TeamsModule],
  controllers: [MaintenanceWindowsController, MaintenanceWindowDefinitionsController],
  providers: [
    AnnouncedMaintenanceService,
    MaintenancePassesService,
    MaintenanceRunsService,
    MaintenanceWindowWritesService,
    MaintenanceWindowsService,
    WindowLimit,
  ],
  exports: [
    AnnouncedMaintenanceService,
    MaintenancePassesService,
    MaintenanceRunsService,
    MaintenanceWindowWritesService,
    MaintenanceWindowsService,
  ],
})
export class MaintenanceModule {}
