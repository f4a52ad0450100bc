import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type LocationState as Fold } from '../../../domain/monitor-state.js';
import { Monitor } from '../definition/monitor.entity.js';

/**
 * The fold after all results up to `through`. After a late result, folding restarts at the last checkpoint before it.
 */
@Entity('monitor_checkpoints')
export class MonitorCheckpoint {
  @PrimaryColumn('uuid')
  monitorId: string;

  @PrimaryColumn('text')
  location: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  through: Date;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('jsonb')
  fold: Fold;
}
