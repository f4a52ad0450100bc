import { Module } from '@nestjs/common';
import { CheckerModule } from '../checker/checker.module.js';
import { ChecksModule } from '../checks/checks.module.js';
import { HeartbeatsModule } from '../heartbeats/heartbeats.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SubscribersModule } from '../status-pages/subscribers/subscribers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { WatchdogModule } from '../watchdog/watchdog.module.js';
import { MetricsListenerService } from './metrics-listener.service.js';
import { MetricsService } from './metrics.service.js';
import { MetricsSource } from './metrics-source.js';
import { SharedWorkService } from './shared-work.service.js';

/** Prometheus metrics, as documented in `docs/metrics.md`. */
@Module({
  imports: [
    CheckerModule,
    ChecksModule,
    HeartbeatsModule,
    LocationsModule,
    MonitorsModule,
    NotificationsModule,
    SubscribersModule,
    TeamsModule,
    WatchdogModule,
  ],
  providers: [
    MetricsListenerService,
    MetricsService,
    { provide: MetricsSource, useExisting: MetricsService },
    SharedWorkService,
  ],
  exports: [MetricsListenerService, MetricsService],
})
export class MetricsModule {}
