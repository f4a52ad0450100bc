import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/**
 * Time that somebody took out of the figures of monitors, and why. Never changed but by being taken back, and never
 * erased: that monitors are named without foreign keys lets it outlive them. What it lays over states are spans.
 */
@Entity('exclusions')
@Index('exclusions_team_created', ['teamId', 'createdAt', 'id'])
export class Exclusion {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** As named by the caller. */
  @Column('uuid', { array: true })
  monitorIds: string[];

  /** As named by the caller. */
  @Column('text', { array: true })
  tags: string[];

  /** The monitors that were meant when it was made, by name or by tag, ascending. */
  @Column('uuid', { array: true })
  memberIds: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;

  @Column('text')
  reason: string;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;

  @Column('text', { nullable: true })
  deletedBy: string | null;
}
