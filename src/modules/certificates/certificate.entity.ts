import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/** A certificate that monitors of a team see, or have seen, until some time after it has expired. */
@Entity('certificates')
@Index('certificates_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('certificates_expiry', ['validUntil'])
export class Certificate {
  @PrimaryColumn('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** SHA-256, in hexadecimal digits. */
  @PrimaryColumn('text')
  fingerprint: string;

  @Column('text')
  subject: string;

  @Column('text')
  issuer: string;

  @Column({ type: 'timestamptz', precision: 3 })
  validFrom: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  validUntil: Date;

  /** The shortest threshold of which an event was recorded; `null` if there was none. */
  @Column('integer', { nullable: true })
  raisedDays: number | null;

  /** When the next event may be due; `null` if none is, or if no monitor sees the certificate. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;
}
