import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../../events/event-log.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { TeamsModule } from '../../teams/teams.module.js';
import { StatusPagesModule } from '../status-pages.module.js';
import { ErasedAddress } from './erased-address.entity.js';
import { MailEventsController } from './mail-events.controller.js';
import { Publication } from './publication.entity.js';
import { Publications } from './publications.service.js';
import { Quarantine } from './quarantine.service.js';
import { QuarantinedAddress } from './quarantined-address.entity.js';
import { SubscriberAddresses } from './subscriber-addresses.service.js';
import { SubscriberBacklogs } from './subscriber-backlog.service.js';
import { SubscriberDelivery } from './subscriber-delivery.entity.js';
import { SubscriberMails } from './subscriber-mails.service.js';
import { SubscriberOutcomes } from './subscriber-outcomes.service.js';
import { SubscriberWorker } from './subscriber-worker.service.js';
import { Subscriber } from './subscriber.entity.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersService } from './subscribers.service.js';
import { SubscriptionLetter } from './subscription-letter.entity.js';
import { SubscriptionRequestsController } from './subscription-requests.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { Subscriptions } from './subscriptions.service.js';
import { SubscriberWebhook } from './webhooks/subscriber-webhook.entity.js';
import { SubscriberWebhooks } from './webhooks/subscriber-webhooks.service.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookSender } from './webhooks/webhook-sender.service.js';

/** Subscribers of status pages: how they subscribe, and what they are sent. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ErasedAddress,
      Publication,
      QuarantinedAddress,
      Subscriber,
      SubscriberDelivery,
      SubscriberWebhook,
      SubscriptionLetter,
      WebhookDelivery,
    ]),
    EventLogModule,
    MailModule,
    MonitorsModule,
    StatusPagesModule,
    TeamsModule,
  ],
  controllers: [MailEventsController, SubscribersController, SubscriptionRequestsController, SubscriptionsController],
  providers: [
    Publications,
    Quarantine,
    SubscriberAddresses,
    SubscriberBacklogs,
    SubscriberMails,
    SubscriberOutcomes,
    SubscriberWebhooks,
    SubscriberWorker,
    SubscribersService,
    Subscriptions,
    WebhookDeliveries,
    WebhookSender,
  ],
  exports: [Publications, SubscriberBacklogs, SubscriberOutcomes, SubscribersService],
})
export class SubscribersModule {}
