import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';
import { Incident } from './incident.entity.js';

/** A monitor that an incident affects: one for a detected incident and a drill, any number for a manual one. */
@Entity('incident_monitors')
@Index('incident_monitors_monitor', ['monitorId', 'incidentId'])
export class IncidentMonitor {
  @PrimaryColumn('uuid')
  incidentId: string;

  @PrimaryColumn('uuid')
  monitorId: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Incident, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'incident_id', referencedColumnName: 'id' },
  ])
  incident?: Incident;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Monitor;
}
