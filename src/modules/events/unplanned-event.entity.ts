import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Marks an event whose notifications have not been planned yet. A table of its own, so that clearing a mark does not
 * rewrite the event and its index entries; in normal operation it is empty. Rows have no foreign key, because checking
 * it would write to each event again; the planner discards marks of events that no longer exist.
 */
@Entity('unplanned_events')
@Index('unplanned_events_resource', ['teamId', 'resourceId'])
@Index('unplanned_events_settings', { synchronize: false })
export class UnplannedEvent {
  @PrimaryColumn('uuid')
  eventId: string;

  /** The sequence of the event. */
  @Column('bigint')
  sequence: string;

  /** How often planning failed. After several failures the event is set aside. */
  @Column('integer', { default: 0 })
  failures: number;

  /** When planning is tried again; null for at once. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retryAt: Date | null;

  /** The team and the resource of the event, by which a sender asks whether a plan is still valid. */
  @Column('uuid')
  teamId: string;

  @Column('text')
  resourceType: string;

  @Column('text')
  resourceId: string;
}
