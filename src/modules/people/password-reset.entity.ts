import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

/** A link with which a person can set a new password. Kept for a day, to limit how many a person is sent. */
@Entity('password_resets')
@Index('password_resets_user', ['userId', 'createdAt'])
export class PasswordReset {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user?: User;

  /** SHA-256 of the token in the link. The token itself is not stored. */
  @Index('password_resets_token', { unique: true })
  @Column('bytea')
  tokenHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** When the password was changed, with this link or otherwise. The link is void from then on. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}
