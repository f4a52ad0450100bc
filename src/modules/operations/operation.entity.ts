import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/** An action on several monitors. Its progress is that of its items. Times are those of the database. */
@Entity('operations')
@Index('operations_team', ['teamId', 'finishedAt'])
@Index('operations_finished', ['finishedAt'])
export class Operation {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('text')
  action: string;

  /** The action and its actor, as sealed JSON, because a patch may contain secrets. Deleted when the operation finishes. */
  @Column('text', { nullable: true })
  parameters: string | null;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  /** The process that works on the operation until `claimedUntil`, or was the last to do so. */
  @Column('uuid', { nullable: true })
  claimedBy: string | null;

  /** Until then, no other process works on the operation. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedUntil: Date | null;
}
