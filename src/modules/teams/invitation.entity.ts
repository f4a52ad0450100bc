import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type Role } from '../../domain/role.js';
import { Team } from './team.entity.js';

/** A link with which one person can join a team. */
@Entity('invitations')
@Index('invitations_team', ['teamId', 'createdAt', 'id'])
export class Invitation {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('text')
  role: Role;

  /** Who the invitation is for. Only a note: it does not restrict who can accept. */
  @Column('text', { nullable: true })
  email: string | null;

  /** SHA-256 of the token in the link. The token itself is not stored. */
  @Index('invitations_token', { unique: true })
  @Column('bytea')
  tokenHash: Buffer;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acceptedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
