import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/** When monitors are worked on. The stretches themselves are spans of the monitors. */
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

  /** In the order in which they were named; one that was deleted since may be among them. */
  @Column('uuid', { array: true })
  monitorIds: string[];

  @Column('text', { array: true })
  tags: string[];

  /** The first occurrence; both null where it has no schedule. */
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

  /** The last run by hand. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedUntil: Date | null;

  /** What the schedule began by then was ended then by hand. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cutAt: Date | null;

  /** Through when its occurrences are written down as spans. */
  @Column({ type: 'timestamptz', precision: 3 })
  settledUntil: Date;

  /** The stretch that runs or comes next, as of the last pass. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activeFrom: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activeUntil: Date | null;

  /** As of the last pass. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextStartsAt: Date | null;

  /** When time alone changes something about it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
