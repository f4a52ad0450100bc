import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A report of a job. Partitioned by day of `receivedAt`. Has no foreign key: the rows of a deleted monitor cannot be
 * reached and are dropped with their partition.
 */
@Entity('pings')
export class Ping {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'PK_pings' })
  monitorId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'PK_pings' })
  receivedAt: Date;

  /** That of the check, which makes the key unique. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'PK_pings' })
  attempt: number;

  @Column('text')
  kind: string;

  /** Pairs the start of a run with its end; null if the job sends none. */
  @Column('text', { nullable: true })
  runId: string | null;

  @Column('smallint', { nullable: true })
  exitStatus: number | null;

  /** From the start of the run to this report, if the start is known. */
  @Column('double precision', { nullable: true })
  durationMs: number | null;

  @Column('text')
  method: string;

  /** The beginning of the body; null if it was empty. */
  @Column('text', { nullable: true })
  body: string | null;
}
