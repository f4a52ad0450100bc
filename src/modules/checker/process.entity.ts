import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Role } from '../../config/roles.js';
import { type WorkerFigures } from '../../redis/worker-report.js';

/** A process that shares the work or makes checks, with the exception of workers, which have no database. */
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

  /** When it last reported that it is alive, in database time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seenAt: Date;
}
