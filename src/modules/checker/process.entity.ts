import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Role } from '../../config/roles.js';
import { type WorkerFigures } from '../../redis/worker-report.js';

/**
 * A process that shares the work, makes checks, or has had reports of jobs to record, with the exception of workers, which
 * have no database.
 */
@Entity('processes')
export class Process {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { array: true })
  roles: Role[];

  @Column('text')
  version: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  startedAt: Date;

  /** Where it makes checks, and how busy it is; `null` if it makes none. */
  @Column('jsonb', { nullable: true })
  worker: (WorkerFigures & { location: string }) | null;

  /** Whether the queue responds to it; `null` if it has no share of the work, or its version does not report this. */
  @Column({ type: 'boolean', nullable: true })
  queueResponds: boolean | null;

  /** Since when that has been so, in database time; `-infinity` if the queue has never responded. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  queueChangedAt: Date | null;

  /** Where its queues are in Redis; `null` if it has none, or its version does not report this. */
  @Column({ type: 'text', nullable: true })
  queues: string | null;

  /** When it last reported that it is alive, in database time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seenAt: Date;

  /** Since when it has had reports of jobs that are not recorded yet; `null` if it has none. In database time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  reportsSince: Date | null;
}
