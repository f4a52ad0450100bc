import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/** A maintenance window. Its occurrences are stored as spans of the monitors. */
@Entity('maintenance_windows')
@Unique('maintenance_windows_team_key', ['teamId', 'key'])
@Index('maintenance_windows_due', { synchronize: false })
@Index('maintenance_windows_tagged', { synchronize: false })
@Index('maintenance_windows_team_created', ['teamId', 'createdAt', 'id'])
export class MaintenanceWindow {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('integer', { default: 1 })
  revision: number;

  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** In the order in which they were sent. May contain monitors that have since been deleted. */
  @Column('uuid', { array: true })
  monitorIds: string[];

  @Column('text', { array: true })
  tags: string[];

  /** The first occurrence; both are null if the window has no schedule. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startsAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @Column('text')
  timezone: string;

  @Column('text', { nullable: true })
  rrule: string | null;

  @Column('boolean')
  public: boolean;

  /** Whether subscribers of status pages are informed. Rows of earlier versions were written without that in mind. */
  @Column('boolean', { default: false })
  notifySubscribers: boolean;

  /** The last manual start, and until when the window is active because of it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedUntil: Date | null;

  /** When the window was last ended manually. Occurrences that began by then are over. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cutAt: Date | null;

  /** The time up to which occurrences are stored as spans. */
  @Column({ type: 'timestamptz', precision: 3 })
  settledUntil: Date;

  /** Whether the latest event about it says that maintenance is in progress. */
  @Column('boolean', { default: false })
  reportedActive: boolean;

  /** When the window is active, currently or next, as of the last pass. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activeFrom: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activeUntil: Date | null;

  /** The start of the next occurrence, as of the last pass. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextStartsAt: Date | null;

  /** When the passage of time next requires a pass. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
