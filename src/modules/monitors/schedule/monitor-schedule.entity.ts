import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/**
 * The schedule of a monitor, and its quorum, from `fromAt` until its next row. The slots and the states of past days are
 * computed from it.
 */
@Entity('monitor_schedules')
export class MonitorSchedule {
  @PrimaryColumn('uuid')
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  fromAt: Date;

  @Column('integer')
  intervalSeconds: number;

  @Column('text', { array: true })
  locations: string[];

  /** `null` if a previous version of the service recorded it; then it is the current one. */
  @Column('text', { nullable: true })
  quorum: string | null;
}
