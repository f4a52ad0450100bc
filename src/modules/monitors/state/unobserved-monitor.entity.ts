import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../../teams/team.entity.js';

/**
 * A monitor that was reported as not observed, and the group of the same cause that it belongs to, of which one alert
 * notifies. The alert outlives the monitor, so the row does, too.
 */
@Entity('unobserved_monitors')
@Index('unobserved_monitors_current', ['monitorId'], { unique: true, where: 'left_at IS NULL' })
@Index('unobserved_monitors_open', ['teamId', 'cause', 'groupId'], { where: 'left_at IS NULL' })
@Index('unobserved_monitors_left', ['leftAt'], { where: 'left_at IS NOT NULL' })
export class UnobservedMonitor {
  /** The event that opened the group. */
  @PrimaryColumn('uuid')
  groupId: string;

  @PrimaryColumn('uuid')
  monitorId: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** An error code, or `no_results`. */
  @Column('text')
  cause: string;

  /** When the first result was missing. */
  @Column({ type: 'timestamptz', precision: 3 })
  unobservedSince: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  joinedAt: Date;

  /** When it turned out to be observed again, in maintenance, paused or deleted; `null` until then. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leftAt: Date | null;

  /** `resolved`, `paused` or `deleted`. */
  @Column('text', { nullable: true })
  leftHow: string | null;
}
