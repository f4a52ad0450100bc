import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamsModule } from '../teams/teams.module.js';
import { CheckRequestsService } from './check-requests.service.js';
import { DefinitionSecretsService } from './definition-secrets.service.js';
import { HistoryService } from './history.service.js';
import { MonitorChangesService } from './monitor-changes.service.js';
import { MonitorCountsService } from './monitor-counts.service.js';
import { MonitorDependenciesService } from './monitor-dependencies.service.js';
import { MonitorNamesService } from './monitor-names.service.js';
import { MaintenanceSpansService } from './maintenance-spans.service.js';
import { MonitorLifecycleService } from './monitor-lifecycle.service.js';
import { MonitorListService } from './monitor-list.service.js';
import { MonitorPausesService } from './monitor-pauses.service.js';
import { MonitorReaderService } from './monitor-reader.service.js';
import { MonitorSelectionService } from './monitor-selection.service.js';
import { MonitorStatesService } from './monitor-states.service.js';
import { MonitorWritesService } from './monitor-writes.service.js';
import { Monitor } from './monitor.entity.js';
import { MonitorDefinitionsController } from './monitor-definitions.controller.js';
import { MonitorsController } from './monitors.controller.js';
import { MonitorsService } from './monitors.service.js';
import { ScheduleHistoryService } from './schedule-history.service.js';
import { ScheduleSourceService } from './schedule-source.service.js';
import { SpansService } from './spans.service.js';
import { Transition } from './transition.entity.js';
import { TransitionsController } from './transitions.controller.js';
import { TransitionsService } from './transitions.service.js';

/** Definitions of monitors, their states and the history of these. */
@Module({
  imports: [TypeOrmModule.forFeature([Monitor, Transition]), TeamsModule],
  controllers: [MonitorsController, MonitorDefinitionsController, TransitionsController],
  providers: [
    CheckRequestsService,
    DefinitionSecretsService,
    HistoryService,
    MonitorChangesService,
    MonitorCountsService,
    MonitorDependenciesService,
    MaintenanceSpansService,
    MonitorLifecycleService,
    MonitorListService,
    MonitorNamesService,
    MonitorPausesService,
    MonitorReaderService,
    MonitorSelectionService,
    MonitorStatesService,
    MonitorWritesService,
    MonitorsService,
    ScheduleHistoryService,
    ScheduleSourceService,
    SpansService,
    TransitionsService,
  ],
  exports: [
    CheckRequestsService,
    DefinitionSecretsService,
    HistoryService,
    MonitorChangesService,
    MonitorCountsService,
    MonitorDependenciesService,
    MaintenanceSpansService,
    MonitorLifecycleService,
    MonitorNamesService,
    MonitorPausesService,
    MonitorSelectionService,
    MonitorStatesService,
    MonitorWritesService,
    MonitorsService,
    ScheduleHistoryService,
    ScheduleSourceService,
    SpansService,
  ],
})
export class MonitorsModule {}
