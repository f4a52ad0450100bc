import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type JsonChange } from '../../domain/json-changes.js';
import { Team } from '../teams/team.entity.js';
import { IS_RARE } from './event.types.js';

/**
 * A change that a user could care about, written by the transaction that makes it. Rows never change. They refer to
 * resources without foreign keys, because they outlive them.
 */
@Entity('events')
@Index('events_order', ['teamId', 'era', 'transactionId', 'sequence'])
@Index('events_resource', ['teamId', 'resourceId', 'era', 'transactionId', 'sequence'])
@Index('events_recorded', ['recordedAt'])
@Index('events_latest', ['teamId', 'resourceId', 'recordedAt'])
@Index('events_rare', ['teamId', 'resourceId'], { where: IS_RARE })
export class Event {
  /** A UUIDv7, whose order is not that of the commits. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** The era of the installation, because the transaction ids of a restored database start again. */
  @Column('integer')
  era: number;

  /** The transaction that wrote the event, as decimal digits: within an era, the first part of the order. */
  @Column('bigint')
  transactionId: string;

  /** Decimal digits: the order of the events of a transaction. */
  @Column('bigint')
  @Generated('increment')
  sequence: string;

  @Column('text')
  type: string;

  @Column({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @Column('text')
  actorType: string;

  @Column('text', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text', { nullable: true })
  requestId: string | null;

  @Column('text')
  resourceType: string;

  @Column('text')
  resourceId: string;

  @Column('text', { nullable: true })
  resourceKey: string | null;

  @Column('text', { nullable: true })
  resourceName: string | null;

  @Column('jsonb', { nullable: true })
  changes: JsonChange[] | null;

  @Column('jsonb')
  data: Record<string, unknown>;
}
