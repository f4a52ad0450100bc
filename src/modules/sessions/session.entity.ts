import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Member } from '../teams/member.entity.js';

/** A browser in which somebody is signed in. It ends with the membership of the team that it looks at. */
@Entity('sessions')
@Index('sessions_user', ['userId'])
export class Session {
  @PrimaryColumn('uuid')
  id: string;

  /** SHA-256 of the token in the cookie, which is kept nowhere else. */
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

  /** What the browser says it is, for the list of places. */
  @Column('text', { nullable: true })
  userAgent: string | null;
}
