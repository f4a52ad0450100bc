import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type QuarantineStatus } from '../../../domain/mail-quarantine.js';
import { StatusPage } from '../status-page.entity.js';

/** Somebody who is sent the public updates of a status page by email, or has asked for it. */
@Entity('status_page_subscribers')
@Unique('status_page_subscribers_email', ['statusPageId', 'email'])
@Index('status_page_subscribers_created', ['statusPageId', 'createdAt', 'id'])
@Index('status_page_subscribers_team', ['teamId'])
@Index('status_page_subscribers_address', ['email'])
@Index('status_page_subscribers_due', { synchronize: false })
@Index('status_page_subscribers_unconfirmed', { synchronize: false })
@Index('status_page_subscribers_attempted', { synchronize: false })
export class Subscriber {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  statusPageId: string;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  statusPage?: StatusPage;

  /** In lower case. Nothing else but mails in transit contains it: events and logs have the id. */
  @Column('text')
  email: string;

  /** `bounced` and `complained`: the address was quarantined, and nothing is sent. */
  @Column('text')
  status: 'pending' | 'active' | QuarantineStatus;

  /** Why the address was quarantined, in words and without addresses; null if that is not known. */
  @Column('text', { nullable: true })
  statusReason: string | null;

  /** The components of the page whose updates are sent; null for all, including those that are added later. */
  @Column('uuid', { array: true, nullable: true })
  componentIds: string[] | null;

  /** Where the person consented, if an administrator vouches for it; null if they confirm by mail. */
  @Column('text', { nullable: true })
  consentSource: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** When the next mail or attempt is due; null if nothing is to be sent. Claiming a subscriber moves it ahead. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  /** When the latest mail was last attempted. The rate of all mails is counted by it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastAttemptAt: Date | null;

  /** Number of attempts to send the current mail that have failed. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
