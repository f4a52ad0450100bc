import { DataSource, type DataSourceOptions } from 'typeorm';
import { IdempotencyKey } from '../http/idempotency/idempotency-key.entity.js';
import { RateLimit } from '../http/throttle/rate-limit.entity.js';
import { ApiKey } from '../modules/api-keys/api-key.entity.js';
import { Lease } from '../modules/checker/lease.entity.js';
import { IncidentBackFill } from '../modules/incidents/incident-back-fill.entity.js';
import { IncidentMonitor } from '../modules/incidents/incident-monitor.entity.js';
import { IncidentUpdate } from '../modules/incidents/incident-update.entity.js';
import { Incident } from '../modules/incidents/incident.entity.js';
import { Exclusion } from '../modules/exclusions/exclusion.entity.js';
import { CheckRequest } from '../modules/monitors/schedule/check-request.entity.js';
import { Check } from '../modules/checks/check.entity.js';
import { LocationState } from '../modules/monitors/state/location-state.entity.js';
import { MaintenanceWindow } from '../modules/maintenance/maintenance-window.entity.js';
import { MonitorCheckpoint } from '../modules/monitors/state/monitor-checkpoint.entity.js';
import { MonitorSchedule } from '../modules/monitors/schedule/monitor-schedule.entity.js';
import { MonitorState } from '../modules/monitors/state/monitor-state.entity.js';
import { Monitor } from '../modules/monitors/definition/monitor.entity.js';
import { Span } from '../modules/monitors/history/span.entity.js';
import { Transition } from '../modules/monitors/history/transition.entity.js';
import { Session } from '../modules/sessions/session.entity.js';
import { StatusPageComponent } from '../modules/status-pages/status-page-component.entity.js';
import { StatusPage } from '../modules/status-pages/status-page.entity.js';
import { Invitation } from '../modules/teams/invitation.entity.js';
import { Member } from '../modules/teams/member.entity.js';
import { Team } from '../modules/teams/team.entity.js';
import { DailyRollup } from '../modules/uptime/daily-rollup.entity.js';
import { User } from '../modules/users/user.entity.js';
import { Instance } from './instance.entity.js';
import { MIGRATIONS } from './migrations/index.js';
import { SnakeNaming } from './naming.js';

/** How every process and command reaches the database. `limits`: of the pool beyond its size. */
export function dataSourceOptions(url: string, poolSize: number, limits: object = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: [
      ApiKey,
      Check,
      CheckRequest,
      DailyRollup,
      Exclusion,
      IdempotencyKey,
      Incident,
      IncidentBackFill,
      IncidentMonitor,
      IncidentUpdate,
      Instance,
      Invitation,
      Lease,
      LocationState,
      MaintenanceWindow,
      Member,
      Monitor,
      MonitorCheckpoint,
      MonitorSchedule,
      MonitorState,
      RateLimit,
      Session,
      Span,
      StatusPage,
      StatusPageComponent,
      Team,
      Transition,
      User,
    ],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNaming(),
    applicationName: 'daywatch',
    // Without this the driver asks for `uuid-ossp`, an extension that the service does not need.
    installExtensions: false,
    extra: {
      max: poolSize,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      options: '-c timezone=UTC',
      ...limits,
    },
  };
}

export function dataSource(url: string, poolSize = 4): DataSource {
  return new DataSource(dataSourceOptions(url, poolSize));
}
