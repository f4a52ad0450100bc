import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChecksModule } from '../checks/checks.module.js';
import { EventLogModule } from '../events/event-log.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { DetectedIncidentsService } from './detected-incidents.service.js';
import { DrillsService } from './drills.service.js';
import { IncidentBackFill } from './incident-back-fill.entity.js';
import { IncidentGroupsService } from './incident-groups.service.js';
import { IncidentMonitor } from './incident-monitor.entity.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { IncidentWritesService } from './incident-writes.service.js';
import { Incident } from './incident.entity.js';
import { IncidentsController } from './incidents.controller.js';
import { IncidentsService } from './incidents.service.js';
import { MonitorDrillsController } from './monitor-drills.controller.js';
import { MonitorIncidentsController } from './monitor-incidents.controller.js';

const ENTITIES = [Incident, IncidentBackFill, IncidentMonitor, IncidentUpdate];

/** Incidents: detected from the histories of monitors, written by callers, and drills. */
@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), ChecksModule, EventLogModule, MonitorsModule, TeamsModule],
  controllers: [IncidentsController, MonitorDrillsController, MonitorIncidentsController],
  providers: [DetectedIncidentsService, DrillsService, IncidentGroupsService, IncidentWritesService, IncidentsService],
  exports: [DetectedIncidentsService, DrillsService, IncidentWritesService, IncidentsService],
})
export class IncidentsModule {}
