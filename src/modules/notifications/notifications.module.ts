import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CheckerModule } from '../checker/checker.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { NotificationChannelsModule } from '../notification-channels/notification-channels.module.js';
import { NotificationPoliciesModule } from '../notification-policies/notification-policies.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { AlertContext } from './alert-context.service.js';
import { AlertFactsService } from './alert-facts.service.js';
import { AlertRefreshes } from './alert-refreshes.service.js';
import { AlertingReportsController } from './alerting-reports.controller.js';
import { AlertingReports } from './alerting-reports.service.js';
import { AlertStore } from './alert-store.service.js';
import { MessageAcknowledgements } from './message-acknowledgements.service.js';
import { MessageComposer } from './message-composer.service.js';
import { AttemptsService } from './attempts.service.js';
import { BacktestAlerts } from './backtest-alerts.service.js';
import { ChannelClaim } from './channel-claim.entity.js';
import { ChannelClaimsService } from './channel-claims.service.js';
import { ChannelOutcomes } from './channel-outcomes.service.js';
import { NotificationBacktestsController } from './notification-backtests.controller.js';
import { NotificationBacktests } from './notification-backtests.service.js';
import { Notification } from './notification.entity.js';
import { NotificationBacklogService } from './notification-backlog.service.js';
import { NotificationOutcomesService } from './notification-outcomes.service.js';
import { NotificationRetention } from './notification-retention.service.js';
import { NotificationTimer } from './notification-timer.entity.js';
import { NotificationWakeups } from './notification-wakeups.service.js';
import { NotificationWorker } from './notification-worker.service.js';
import { IncidentNotificationsController } from './incident-notifications.controller.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsService } from './notifications.service.js';
import { ProviderAcknowledgements } from './provider-acknowledgements.service.js';
import { ProviderWebhooksController } from './provider-webhooks.controller.js';
import { PlannerService } from './planner.service.js';
import { PlanStore } from './plan-store.service.js';
import { PlanningService } from './planning.service.js';

/** Notifications: planned from events, sent through channels. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ChannelClaim, Notification, NotificationTimer]),
    CheckerModule,
    IncidentsModule,
    MonitorsModule,
    NotificationChannelsModule,
    NotificationPoliciesModule,
    TeamsModule,
  ],
  controllers: [
    AlertingReportsController,
    NotificationsController,
    IncidentNotificationsController,
    NotificationBacktestsController,
    ProviderWebhooksController,
  ],
  providers: [
    AlertContext,
    AlertFactsService,
    AlertRefreshes,
    AlertingReports,
    AlertStore,
    AttemptsService,
    BacktestAlerts,
    ChannelClaimsService,
    ChannelOutcomes,
    MessageAcknowledgements,
    MessageComposer,
    NotificationBacklogService,
    NotificationOutcomesService,
    NotificationRetention,
    NotificationBacktests,
    NotificationWakeups,
    NotificationWorker,
    NotificationsService,
    PlannerService,
    PlanStore,
    PlanningService,
    ProviderAcknowledgements,
  ],
  exports: [
    AlertingReports,
    MessageAcknowledgements,
    ChannelOutcomes,
    NotificationBacklogService,
    NotificationOutcomesService,
    NotificationWorker,
    NotificationsService,
  ],
})
export class NotificationsModule {}
