import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { MonitorNotificationPoliciesController } from './monitor-notification-policies.controller.js';
import { NotificationPoliciesController } from './notification-policies.controller.js';
import { NotificationPoliciesService } from './notification-policies.service.js';
import { NotificationPolicy } from './notification-policy.entity.js';
import { NotificationPolicyWritesService } from './notification-policy-writes.service.js';
import { NotificationPreviewService } from './notification-preview.service.js';
import { PolicyReferences } from './policy-references.service.js';
import { PolicyRules } from './policy-rules.service.js';
import { Silence } from './silence.entity.js';
import { SilencesController } from './silences.controller.js';
import { SilencesService } from './silences.service.js';
import { UnheardMonitors } from './unheard-monitors.service.js';

/** Notification policies and silences: who is notified of what. A global module provides the `ChannelDirectory`. */
@Module({
  imports: [TypeOrmModule.forFeature([NotificationPolicy, Silence]), EventLogModule, MonitorsModule, TeamsModule],
  controllers: [NotificationPoliciesController, MonitorNotificationPoliciesController, SilencesController],
  providers: [
    NotificationPoliciesService,
    NotificationPolicyWritesService,
    NotificationPreviewService,
    PolicyReferences,
    PolicyRules,
    SilencesService,
    UnheardMonitors,
  ],
  exports: [
    NotificationPoliciesService,
    NotificationPolicyWritesService,
    NotificationPreviewService,
    PolicyRules,
    SilencesService,
    UnheardMonitors,
  ],
})
export class NotificationPoliciesModule {}
