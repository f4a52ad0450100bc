import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who dispatches. The epoch rises with each change of holder and fences a former one's late writes. */
@Entity('leases')
export class Lease {
  @PrimaryColumn('text')
  name: string;

  @Column('uuid')
  holder: string;

  @Column('integer')
  epoch: number;

  /** In the database's time. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** High-water mark of the slot clock: the schedule was served up to here. */
  @Column({ type: 'timestamptz', precision: 3 })
  servedUntil: Date;
}
