import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** A confirmed change of state at one location. Derived only from check results; the basis of every uptime figure. */
@Entity('transitions')
@Index('transitions_monitor_at', ['monitorId', 'at'])
@Index('transitions_location_at', ['monitorId', 'location', 'at'])
export class Transition {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('text')
  location: string;

  /** When the state began: the start of the first of the consecutive checks that confirmed it. */
  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  /** The start of the check that confirmed the state. */
  @Column({ type: 'timestamptz', precision: 3 })
  confirmedAt: Date;

  @Column('text')
  fromStatus: string;

  @Column('text')
  toStatus: string;

  @Column('text', { nullable: true })
  errorCode: string | null;
}
