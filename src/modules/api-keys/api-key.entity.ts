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

  /** Public start of the secret, by which the row is found. */
  @Index('api_keys_prefix', { unique: true })
  @Column('text')
  prefix: string;

  /** HMAC-SHA-256 of the whole secret. */
  @Column('bytea')
  secretHash: Buffer;

  /** Who was shown the secret; null where the version of the service that wrote it did not know. */
  @Column('text', { nullable: true })
  shownTo: string | null;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text')
  createdBy: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** The secret before the last rotation, while it is still accepted. */
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
