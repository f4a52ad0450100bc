import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ChecksModule } from '../checks/checks.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { HeartbeatsModule } from '../heartbeats/heartbeats.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { NotificationChannelsModule } from '../notification-channels/notification-channels.module.js';
import { NotificationPoliciesModule } from '../notification-policies/notification-policies.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { OverviewModule } from '../overview/overview.module.js';
import { MembershipModule } from '../people/membership.module.js';
import { PeopleModule } from '../people/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscribersModule } from '../status-pages/subscribers/subscribers.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { UsersModule } from '../users/users.module.js';
import { AcknowledgementController } from './acknowledgement/acknowledgement.controller.js';
import { AuditLogController } from './audit-log/audit-log.controller.js';
import { AuthorNames } from './author-names.service.js';
import { AssetsController } from './assets.controller.js';
import { DesignPageController } from './design/design.controller.js';
import { IncidentEditorController } from './incidents/incident-editor.controller.js';
import { IncidentNotificationsPageController } from './incidents/incident-notifications.controller.js';
import { IncidentsPageController } from './incidents/incidents.controller.js';
import { MaintenanceEditorController } from './maintenance/window-editor.controller.js';
import { MaintenancePageController } from './maintenance/windows.controller.js';
import { AlertsService } from './monitors/detail-alerts.service.js';
import { EvidenceService } from './monitors/detail-evidence.service.js';
import { ShownExclusionsService } from './monitors/exclusions/shown-exclusions.service.js';
import { LiveFeed } from './monitors/live-feed.service.js';
import { LiveUpdates } from './monitors/live-updates.service.js';
import { MONITOR_PAGES } from './monitors/pages.js';
import { NoticePages } from './notice-pages.service.js';
import { ChannelsPageController } from './notifications/channels.controller.js';
import { DeliveryLogController } from './notifications/log.controller.js';
import { PoliciesPageController } from './notifications/policies.controller.js';
import { PolicyNamesService } from './notifications/policy-names.service.js';
import { AlertingReportPageController } from './notifications/report.controller.js';
import { SilencesPageController } from './notifications/silences.controller.js';
import { OperationsPageController } from './operations/operations.controller.js';
import { OverviewPageController } from './overview/overview.controller.js';
import { PageOrigin } from './page-origin.service.js';
import { InvitationsController } from './people/invitations.controller.js';
import { PasswordResetController } from './people/password-reset.controller.js';
import { SetupController } from './people/setup.controller.js';
import { SignInController } from './people/sign-in.controller.js';
import { MonitorSearch } from './picker/monitor-search.service.js';
import { AccountPageController } from './settings/account.controller.js';
import { ApiKeysPageController } from './settings/api-keys.controller.js';
import { PingKeysPageController } from './settings/ping-keys.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { TeamPageController } from './settings/team.controller.js';
import { StatusPageEditorController } from './status-pages/page-editor.controller.js';
import { StatusPagesPageController } from './status-pages/pages.controller.js';
import { SubscribersPageController } from './status-pages/subscribers.controller.js';
import { PublishedPagesController } from './status-pages/published.controller.js';
import { ThemeController } from './theme.controller.js';

/** The web application: pages and forms that use the same services as the API. */
@Module({
  imports: [
    ApiKeysModule,
    ChecksModule,
    EventsModule,
    ExclusionsModule,
    HeartbeatsModule,
    IncidentsModule,
    MaintenanceModule,
    LocationsModule,
    MonitorsModule,
    NotificationChannelsModule,
    NotificationPoliciesModule,
    NotificationsModule,
    OperationsModule,
    OverviewModule,
    MembershipModule,
    PeopleModule,
    SessionsModule,
    StatusPagesModule,
    SubscribersModule,
    TeamsModule,
    UptimeModule,
    UsersModule,
  ],
  controllers: [
    AcknowledgementController,
    AccountPageController,
    AlertingReportPageController,
    ApiKeysPageController,
    AssetsController,
    AuditLogController,
    ChannelsPageController,
    DeliveryLogController,
    DesignPageController,
    IncidentEditorController,
    IncidentNotificationsPageController,
    IncidentsPageController,
    InvitationsController,
    MaintenanceEditorController,
    MaintenancePageController,
    OperationsPageController,
    ...MONITOR_PAGES,
    OverviewPageController,
    PingKeysPageController,
    PoliciesPageController,
    PasswordResetController,
    PublishedPagesController,
    SettingsController,
    SetupController,
    SignInController,
    SilencesPageController,
    StatusPageEditorController,
    StatusPagesPageController,
    SubscribersPageController,
    TeamPageController,
    ThemeController,
  ],
  providers: [
    AlertsService,
    AuthorNames,
    EvidenceService,
    LiveFeed,
    LiveUpdates,
    MonitorSearch,
    NoticePages,
    PageOrigin,
    PolicyNamesService,
    ShownExclusionsService,
  ],
})
export class ConsoleModule {}
