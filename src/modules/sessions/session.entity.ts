import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Member } from '../teams/member.entity.js';

/** A browser in which a person is signed in. The session ends with their membership of its current team. */
@Entity('sessions')
@Index('sessions_user', ['userId'])
export class Session {
  @PrimaryColumn('uuid')
  id: string;

  /** SHA-256 of the token. The token itself exists only in the cookie. */
  @Index('sessions_token', { unique: true })
  @Column('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  userId: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Member, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'user_id', referencedColumnName: 'userId' },
  ])
  member?: Member;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** The `User-Agent` of the browser, for the list of sessions. */
  @Column('text', { nullable: true })
  userAgent: string | null;
}
