import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { ChannelDirectory } from '../notification-policies/channel-directory.service.js';
import { NotificationPoliciesModule } from '../notification-policies/notification-policies.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { ChannelHealthService } from './channel-health.service.js';
import { ChannelMeansService } from './channel-means.service.js';
import { ChannelRotationService } from './channel-rotation.service.js';
import { ChannelSecretsService } from './channel-secrets.service.js';
import { ChannelSendingService } from './channel-sending.service.js';
import { ChannelTestsService } from './channel-tests.service.js';
import { NotificationChannelWritesService } from './notification-channel-writes.service.js';
import { NotificationChannel } from './notification-channel.entity.js';
import { NotificationChannelsController } from './notification-channels.controller.js';
import { NotificationChannelsService } from './notification-channels.service.js';
import { OwnersMail } from './owners-mail.service.js';
import { ProviderChannels } from './provider-channels.service.js';
import { StoredChannels } from './stored-channels.service.js';

/** Notification channels: where notifications are sent. Global, because policies find channels without depending on them. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([NotificationChannel]),
    EventLogModule,
    MailModule,
    NotificationPoliciesModule,
    TeamsModule,
  ],
  controllers: [NotificationChannelsController],
  providers: [
    ChannelHealthService,
    ChannelMeansService,
    ChannelRotationService,
    ChannelSecretsService,
    ChannelSendingService,
    ChannelTestsService,
    NotificationChannelWritesService,
    NotificationChannelsService,
    OwnersMail,
    ProviderChannels,
    { provide: ChannelDirectory, useClass: StoredChannels },
  ],
  exports: [
    ChannelDirectory,
    ChannelHealthService,
    ChannelRotationService,
    ChannelSendingService,
    ChannelTestsService,
    NotificationChannelWritesService,
    NotificationChannelsService,
    ProviderChannels,
  ],
})
export class NotificationChannelsModule {}
