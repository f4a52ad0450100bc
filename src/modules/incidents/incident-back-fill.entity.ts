import { Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';

/** A monitor with outages from before incidents were recorded, whose incidents have not been opened yet. */
@Entity('incident_back_fills')
export class IncidentBackFill {
  @PrimaryColumn('uuid')
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;
}
