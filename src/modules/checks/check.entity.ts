import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type FailedAssertion } from '../../domain/check-result.js';

/**
 * One finished check. Partitioned by day of `scheduledAt`; no surrogate key, which would double a row's price.
 * No foreign key: rows of a deleted monitor are out of reach and go with their partition.
 */
@Entity('checks')
export class Check {
  @PrimaryColumn('uuid')
  monitorId: string;

  /** The slot; for a check off the slots, the time of the request. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  scheduledAt: Date;

  @PrimaryColumn('text')
  location: string;

  /** 0 at the slot, 1…n its retries; below 0 off the slots, so that these never collide with a slot's. */
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

  /** The schedule in force, by which missed slots are known later. */
  @Column('integer')
  intervalSeconds: number;

  /** What confirmed a change when it was made; null in rows of before that was noted. */
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
