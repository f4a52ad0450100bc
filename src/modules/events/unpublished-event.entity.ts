import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Marks an event of which the subscribers of status pages have not been informed yet. Like `UnplannedEvent`, for mail
 * that must never delay alerts.
 */
@Entity('unpublished_events')
export class UnpublishedEvent {
  @PrimaryColumn('uuid')
  eventId: string;

  /** The sequence of the event. */
  @Column('bigint')
  sequence: string;

  /** How often this failed. After several failures the event is set aside. */
  @Column('integer', { default: 0 })
  failures: number;

  /** When it is tried again; null for at once. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retryAt: Date | null;
}
