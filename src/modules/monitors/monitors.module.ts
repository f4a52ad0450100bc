import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { EventLogModule } from '../events/event-log.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { CheckRequestsService } from './schedule/check-requests.service.js';
import { DefinitionSecretsService } from './definition/definition-secrets.service.js';
import { Heartbeat } from './heartbeat/heartbeat.entity.js';
import { HeartbeatRunsService } from './heartbeat/heartbeat-runs.service.js';
import { HeartbeatsService } from './heartbeat/heartbeats.service.js';
import { PingAddressInterceptor } from './heartbeat/ping-address.interceptor.js';
import { PingAddressesService } from './heartbeat/ping-addresses.service.js';
import { Ping } from './heartbeat/ping.entity.js';
import { UnreportedHeartbeatsService } from './heartbeat/unreported-heartbeats.service.js';
import { HistoryService } from './history/history.service.js';
import { MonitorChangesService } from './definition/monitor-changes.service.js';
import { MonitorCountsService } from './state/monitor-counts.service.js';
import { MonitorDependenciesService } from './definition/monitor-dependencies.service.js';
import { MonitorNamesService } from './monitor-names.service.js';
import { MaintenanceSpansService } from './history/maintenance-spans.service.js';
import { MonitorLifecycleService } from './state/monitor-lifecycle.service.js';
import { MonitorListService } from './monitor-list.service.js';
import { MonitorPausesService } from './history/monitor-pauses.service.js';
import { MonitorReaderService } from './monitor-reader.service.js';
import { MonitorRulesService } from './definition/monitor-rules.service.js';
import { MonitorSelectionService } from './definition/monitor-selection.service.js';
import { MonitorStatesService } from './state/monitor-states.service.js';
import { MonitorWritesService } from './definition/monitor-writes.service.js';
import { Monitor } from './definition/monitor.entity.js';
import { MonitorDefinitionsController } from './monitor-definitions.controller.js';
import { MonitorsController } from './monitors.controller.js';
import { MonitorsService } from './monitors.service.js';
import { ScheduleHistoryService } from './schedule/schedule-history.service.js';
import { ScheduleSourceService } from './schedule/schedule-source.service.js';
import { SpansService } from './history/spans.service.js';
import { Span } from './history/span.entity.js';
import { CheckRequest } from './schedule/check-request.entity.js';
import { MonitorSchedule } from './schedule/monitor-schedule.entity.js';
import { LocationState } from './state/location-state.entity.js';
import { MonitorCheckpoint } from './state/monitor-checkpoint.entity.js';
import { LocationComparisonService } from './state/location-comparison.service.js';
import { MonitorState } from './state/monitor-state.entity.js';
import { UnobservedMonitor } from './state/unobserved-monitor.entity.js';
import { UnobservedMonitorsService } from './state/unobserved-monitors.service.js';
import { Transition } from './history/transition.entity.js';
import { TransitionsController } from './history/transitions.controller.js';
import { TransitionsService } from './history/transitions.service.js';

const ENTITIES = [
  CheckRequest,
  Heartbeat,
  LocationState,
  Monitor,
  MonitorCheckpoint,
  MonitorSchedule,
  MonitorState,
  Ping,
  Span,
  Transition,
  UnobservedMonitor,
];

/** Monitors: their definitions, schedules, states and history. */
@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    CertificatesModule,
    DomainsModule,
    EventLogModule,
    LocationsModule,
    TeamsModule,
  ],
  controllers: [MonitorsController, MonitorDefinitionsController, TransitionsController],
  providers: [
    CheckRequestsService,
    DefinitionSecretsService,
    HeartbeatRunsService,
    HeartbeatsService,
    UnreportedHeartbeatsService,
    HistoryService,
    LocationComparisonService,
    MonitorChangesService,
    MonitorCountsService,
    MonitorDependenciesService,
    MaintenanceSpansService,
    MonitorLifecycleService,
    MonitorListService,
    MonitorNamesService,
    MonitorPausesService,
    MonitorReaderService,
    MonitorRulesService,
    MonitorSelectionService,
    MonitorStatesService,
    MonitorWritesService,
    MonitorsService,
    PingAddressInterceptor,
    PingAddressesService,
    ScheduleHistoryService,
    ScheduleSourceService,
    SpansService,
    TransitionsService,
    UnobservedMonitorsService,
  ],
  exports: [
    CheckRequestsService,
    DefinitionSecretsService,
    HeartbeatRunsService,
    HeartbeatsService,
    UnreportedHeartbeatsService,
    HistoryService,
    LocationComparisonService,
    MonitorChangesService,
    MonitorCountsService,
    MonitorDependenciesService,
    MaintenanceSpansService,
    MonitorLifecycleService,
    MonitorNamesService,
    MonitorPausesService,
    MonitorRulesService,
    MonitorSelectionService,
    MonitorStatesService,
    MonitorWritesService,
    MonitorsService,
    PingAddressesService,
    PingAddressInterceptor,
    PingAddressesService,
    ScheduleHistoryService,
    ScheduleSourceService,
    SpansService,
    UnobservedMonitorsService,
  ],
})
export class MonitorsModule {}
