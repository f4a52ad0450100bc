import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Subscriber } from '../subscriber.entity.js';
import { type WebhookStatus } from './webhook-status.js';

/** Where a subscriber wants updates posted instead of mailed. Another address is another row. */
@Entity('subscriber_webhooks')
@Index('subscriber_webhooks_due', { synchronize: false })
export class SubscriberWebhook {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { unique: true })
  subscriberId: string;

  @OneToOne(() => Subscriber, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subscriber_id' })
  subscriber?: Subscriber;

  /** Sealed: the path and the query may contain credentials of the receiver. */
  @Column('text')
  url: string;

  /** Signs the requests. Sealed. */
  @Column('text')
  secret: string;

  @Column('text')
  status: WebhookStatus;

  /** Why the latest challenge or delivery failed, for the subscriber; null after a success. */
  @Column('text', { nullable: true })
  error: string | null;

  /** When the next delivery, or the mail about the end, is due; null if nothing is. Claiming moves it ahead. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  /** Number of attempts at what is due that have failed. */
  @Column('integer', { default: 0 })
  failures: number;

  /** When the first of the deliveries failed since the latest success. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince: Date | null;

  /** Whether the subscriber is still to be mailed that the webhook has ended. */
  @Column('boolean', { default: false })
  endUnreported: boolean;
}
