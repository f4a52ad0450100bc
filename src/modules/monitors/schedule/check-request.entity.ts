import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** A check off the slots that was promised and is not recorded yet: written with the promise, gone with the result. */
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
