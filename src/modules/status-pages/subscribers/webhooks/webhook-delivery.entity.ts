import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Publication } from '../publication.entity.js';
import { SubscriberWebhook } from './subscriber-webhook.entity.js';

/** A publication that is to be posted to a webhook, or was. */
@Entity('subscriber_webhook_deliveries')
@Unique('subscriber_webhook_deliveries_once', ['webhookId', 'publicationId'])
@Index('subscriber_webhook_deliveries_publication', ['publicationId'])
@Index('subscriber_webhook_deliveries_attempted', { synchronize: false })
export class WebhookDelivery {
  /** The `webhook-id` of each attempt. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  webhookId: string;

  @ManyToOne(() => SubscriberWebhook, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'webhook_id' })
  webhook?: SubscriberWebhook;

  @Column('uuid')
  publicationId: string;

  @ManyToOne(() => Publication, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'publication_id' })
  publication?: Publication;

  @Column('text')
  status: 'pending' | 'sent' | 'failed';

  /** The rate of all webhooks is counted by it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastAttemptAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;
}
