import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** The reported state of a monitor over all its locations. Stored whenever it changes, so that SQL can filter by it. */
@Entity('monitor_states')
@Index('monitor_states_team_status', ['teamId', 'status'])
@Index('monitor_states_down', { synchronize: false })
@Index('monitor_states_severity', { synchronize: false })
@Index('monitor_states_unknown', { synchronize: false })
@Index('monitor_states_maintenance_begins', { synchronize: false })
@Index('monitor_states_maintenance_ends', { synchronize: false })
@Index('monitor_states_team_since', ['teamId', 'statusSince', 'monitorId'])
export class MonitorState {
  @PrimaryColumn('uuid')
  monitorId: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Monitor;

  @Column('text')
  status: string;

  @Column('text', { nullable: true })
  verifying: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  statusSince: Date;

  /** The current or next maintenance over all windows, as far ahead as maintenance spans are stored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  maintenanceFrom: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  maintenanceUntil: Date | null;

  /** Incremented with each change that is due to checks or to the passage of time. */
  @Column('integer', { default: 1 })
  version: number;
}
