import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** The schedule of a monitor from `fromAt` until its next row. The slots of past days are computed from it. */
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
}
