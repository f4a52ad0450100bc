import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Role } from '../../config/roles.js';

/** A process among those that share the work, with the exception of workers, which have no database. */
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

  /** When it last reported that it is alive, in database time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seenAt: Date;
}
