import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { type AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HttpModule } from './http/http.module.js';
import { ApiKeysModule } from './modules/api-keys/api-keys.module.js';
import { CheckerModule } from './modules/checker/checker.module.js';
import { ChecksModule } from './modules/checks/checks.module.js';
import { ConsoleModule } from './modules/console/console.module.js';
import { EventsModule } from './modules/events/events.module.js';
import { ExclusionsModule } from './modules/exclusions/exclusions.module.js';
import { HealthModule } from './modules/health/health.module.js';
import { HeartbeatsModule } from './modules/heartbeats/heartbeats.module.js';
import { IncidentsModule } from './modules/incidents/incidents.module.js';
import { LocationsModule } from './modules/locations/locations.module.js';
import { MaintenanceModule } from './modules/maintenance/maintenance.module.js';
import { MonitorsModule } from './modules/monitors/monitors.module.js';
import { NotificationChannelsModule } from './modules/notification-channels/notification-channels.module.js';
import { NotificationPoliciesModule } from './modules/notification-policies/notification-policies.module.js';
import { NotificationsModule } from './modules/notifications/notifications.module.js';
import { OperationsModule } from './modules/operations/operations.module.js';
import { OverviewModule } from './modules/overview/overview.module.js';
import { PeopleModule } from './modules/people/people.module.js';
import { SubscribersModule } from './modules/status-pages/subscribers/subscribers.module.js';
import { StatusPagesModule } from './modules/status-pages/status-pages.module.js';
import { TeamsModule } from './modules/teams/teams.module.js';
import { UptimeModule } from './modules/uptime/uptime.module.js';
import { WatchdogModule } from './modules/watchdog/watchdog.module.js';

@Module({})
export class AppModule {
  /** Returns the module of the whole service, configured with these settings. */
  static of(config: AppConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule,
        HttpModule,
        ScheduleModule.forRoot(),
        ApiKeysModule,
        CheckerModule,
        ChecksModule,
        ConsoleModule,
        EventsModule,
        ExclusionsModule,
        HealthModule,
        HeartbeatsModule,
        IncidentsModule,
        LocationsModule,
        MaintenanceModule,
        MonitorsModule,
        NotificationChannelsModule,
        NotificationPoliciesModule,
        NotificationsModule,
        OperationsModule,
        OverviewModule,
        PeopleModule,
        StatusPagesModule,
        SubscribersModule,
        TeamsModule,
        UptimeModule,
        WatchdogModule,
      ],
    };
  }
}
