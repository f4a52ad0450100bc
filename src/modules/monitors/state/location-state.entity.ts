import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type LocationState as Fold } from '../../../domain/monitor-state.js';
import { Monitor } from '../definition/monitor.entity.js';

/** The fold over the results of one monitor at one location so far. A narrow table, because each check updates it. */
@Entity('location_states')
export class LocationState {
  @PrimaryColumn('uuid')
  monitorId: string;

  @PrimaryColumn('text')
  location: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('jsonb')
  fold: Fold;

  /** If no further result arrives by then, the state is unknown from `missingFrom` on. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  holdsUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  missingFrom: Date | null;

  /** `through` of the newest checkpoint. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkpointThrough: Date | null;

  /** The latest check of any kind, including those that do not affect the state. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastCheckAt: Date | null;

  @Column('integer', { default: 0 })
  version: number;
}
