import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type PolicyMatch } from '../../domain/notification-plan/policy.js';
import { Team } from '../teams/team.entity.js';

/** A time in which no new alert of the matched monitors is sent. It can be ended early, but not changed. */
@Entity('silences')
@Unique('silences_team_id', ['teamId', 'id'])
@Index('silences_team_created', ['teamId', 'createdAt', 'id'])
export class Silence {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** May contain monitors that have since been deleted. */
  @Column('jsonb')
  match: PolicyMatch;

  @Column('text')
  reason: string;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When it ends or, if it was deleted, when that happened. */
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;
}
