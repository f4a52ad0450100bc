import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Publication } from './publication.entity.js';
import { Subscriber } from './subscriber.entity.js';

/** A publication that a subscriber is to be sent, or was sent. */
@Entity('subscriber_deliveries')
@Index('subscriber_deliveries_publication', ['publicationId'])
@Index('subscriber_deliveries_pending', ['publicationId'], { where: `status = 'pending'` })
export class SubscriberDelivery {
  @PrimaryColumn('uuid')
  subscriberId: string;

  @ManyToOne(() => Subscriber, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subscriber_id' })
  subscriber?: Subscriber;

  @PrimaryColumn('uuid')
  publicationId: string;

  @ManyToOne(() => Publication, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'publication_id' })
  publication?: Publication;

  /** The mail that contains it, chosen before the first attempt, so that a repeated mail is the same mail. */
  @Column('uuid', { nullable: true })
  mailId: string | null;

  @Column('text')
  status: 'pending' | 'sent' | 'failed';

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;
}
