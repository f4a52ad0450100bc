import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Team } from '../../teams/team.entity.js';

/** The definition of a monitor, as callers write it. Checks never write to this table, only to `monitor_states`. */
@Entity('monitors')
@Unique('monitors_team_id', ['teamId', 'id'])
@Unique('monitors_team_key', ['teamId', 'key'])
@Index('monitors_team_created', ['teamId', 'createdAt', 'id'])
@Index('monitors_team_name', ['teamId', 'name', 'id'])
@Index('monitors_tags', { synchronize: false })
@Index('monitors_expires', { synchronize: false })
@Index('monitors_pause_ends', { synchronize: false })
@Index('monitors_parents', { synchronize: false })
export class Monitor {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** Incremented only by callers' writes. */
  @Column('integer', { default: 1 })
  revision: number;

  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Where people read what to do when the monitor is down. */
  @Column('text', { nullable: true })
  runbookUrl: string | null;

  @Column('text')
  type: string;

  /** The type-specific fields, as defined by the probe's class. Secrets are sealed. */
  @Column('jsonb')
  definition: Record<string, unknown>;

  /** The target in one line without secrets, for searches. */
  @Column('text')
  target: string;

  @Column('integer')
  intervalSeconds: number;

  @Column('integer')
  timeoutMs: number;

  @Column('integer', { nullable: true })
  degradedAfterMs: number | null;

  @Column('integer')
  failureThreshold: number;

  @Column('integer')
  recoveryThreshold: number;

  @Column('integer', { nullable: true })
  retryIntervalSeconds: number | null;

  @Column('text', { array: true })
  locations: string[];

  /** `any`, `majority`, `all` or a number as text. */
  @Column('text')
  quorum: string;

  @Column('text', { array: true })
  tags: string[];

  /** Ids of the monitors of the team that this one depends on, in the order in which they were sent. Never a cycle. */
  @Column('uuid', { array: true, default: '{}' })
  parentIds: string[];

  @Column('jsonb')
  metadata: Record<string, string>;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pausedAt: Date | null;

  /** When the pause ends automatically; if `null` during a pause, it lasts until the monitor is resumed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pausedUntil: Date | null;

  @Column('text', { nullable: true })
  pauseReason: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resumedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
