import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/**
 * Time that is excluded from the figures of monitors, and why. The only change is its deletion, which retains the row.
 * Monitors are referenced without foreign keys, so that an exclusion outlives them. It takes effect through spans.
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

  /** As sent by the caller. */
  @Column('uuid', { array: true })
  monitorIds: string[];

  /** As sent by the caller. */
  @Column('text', { array: true })
  tags: string[];

  /** The monitors that were selected, directly or by tag, when the exclusion was created. In ascending order. */
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
