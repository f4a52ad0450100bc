import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The right to work on all monitors or on a shard, which `name` says. The epoch increases with each change of holder.
 */
@Entity('leases')
export class Lease {
  @PrimaryColumn('text')
  name: string;

  @Column('uuid')
  holder: string;

  @Column('integer')
  epoch: number;

  /** In database time. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** High-water mark of the slot clock: the time up to which the schedule was served. */
  @Column({ type: 'timestamptz', precision: 3 })
  servedUntil: Date;
}
