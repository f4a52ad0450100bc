import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** By what schedule a monitor was checked, from `fromAt` until the next row of it: the slots of past days follow from it. */
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
