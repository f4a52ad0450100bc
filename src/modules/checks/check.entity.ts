import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type FailedAssertion } from '../../domain/check-result.js';

/**
 * A finished check. Partitioned by day of `scheduledAt`. Has no surrogate key, which would double the cost of a row,
 * and no foreign key: the rows of a deleted monitor cannot be reached and are dropped with their partition.
 */
@Entity('checks')
export class Check {
  @PrimaryColumn('uuid')
  monitorId: string;

  /** The slot or, for a check outside the schedule, the time of the request. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  scheduledAt: Date;

  @PrimaryColumn('text')
  location: string;

  /**
   * 0 at a slot, 1 to n for its retries; negative outside the schedule, so that such a check never has a slot's key.
   */
  @PrimaryColumn('integer')
  attempt: number;

  @Column({ type: 'timestamptz', precision: 3 })
  checkedAt: Date;

  @Column('text')
  trigger: string;

  @Column('text')
  status: string;

  @Column('integer')
  monitorRevision: number;

  /** The interval at the time of the check, by which missed slots are detected later. */
  @Column('integer')
  intervalSeconds: number;

  /** The thresholds at the time of the check; null in rows from versions that did not record them. */
  @Column('smallint', { nullable: true })
  failureThreshold: number | null;

  @Column('smallint', { nullable: true })
  recoveryThreshold: number | null;

  @Column('integer', { nullable: true })
  statusCode: number | null;

  @Column('real', { nullable: true })
  responseTimeMs: number | null;

  @Column('real', { nullable: true })
  dnsMs: number | null;

  @Column('real', { nullable: true })
  connectMs: number | null;

  @Column('real', { nullable: true })
  tlsMs: number | null;

  @Column('real', { nullable: true })
  firstByteMs: number | null;

  @Column('real', { nullable: true })
  transferMs: number | null;

  @Column('text', { nullable: true })
  remoteAddress: string | null;

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('jsonb', { nullable: true })
  failedAssertions: FailedAssertion[] | null;
}
