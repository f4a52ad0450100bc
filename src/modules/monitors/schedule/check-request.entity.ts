import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** A requested check whose result is not recorded yet. The row is deleted when the result is recorded. */
@Entity('check_requests')
export class CheckRequest {
  @PrimaryColumn('uuid')
  monitorId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  scheduledAt: Date;

  @PrimaryColumn('text')
  location: string;

  @PrimaryColumn('integer')
  attempt: number;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('text')
  trigger: string;
}
