import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type Scope } from '../../http/auth/principal.js';
import { Team } from '../teams/team.entity.js';

@Entity('api_keys')
@Index('api_keys_team', ['teamId', 'createdAt', 'id'])
export class ApiKey {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('integer', { default: 1 })
  revision: number;

  @Column('text')
  name: string;

  /** Public start of the secret, by which the row is looked up. */
  @Index('api_keys_prefix', { unique: true })
  @Column('text')
  prefix: string;

  /** HMAC-SHA-256 of the whole secret. */
  @Column('bytea')
  secretHash: Buffer;

  /** Who was shown the secret; null if it was written by a version of the service that did not record this. */
  @Column('text', { nullable: true })
  shownTo: string | null;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** The expiry of which an event was recorded; null if there was none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  noticedExpiry: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** Prefix of the previous secret: the one before the last rotation, accepted until `previousExpiresAt` at most. */
  @Index('api_keys_previous_prefix', { unique: true })
  @Column('text', { nullable: true })
  previousPrefix: string | null;

  @Column('bytea', { nullable: true })
  previousSecretHash: Buffer | null;

  @Column('text', { nullable: true })
  previousShownTo: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousExpiresAt: Date | null;
}
