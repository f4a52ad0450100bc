import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** What is shown of a monitor now, over all its locations: written when it changes, so that lists filter in SQL. */
@Entity('monitor_states')
@Index('monitor_states_team_status', ['teamId', 'status'])
@Index('monitor_states_down', { synchronize: false })
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

  /** The stretch of maintenance, of all windows together, that runs or comes next; as far ahead as it is written down. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  maintenanceFrom: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  maintenanceUntil: Date | null;

  /** Rises with each change that checks or time make. */
  @Column('integer', { default: 1 })
  version: number;
}
