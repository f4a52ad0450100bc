import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Facts about this installation, in a single row. */
@Entity('instance')
export class Instance {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  /** Identifies the `SECRET_KEY` that the data was sealed with. */
  @Column('text')
  secretKeyFingerprint: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** Increases with each restore, after which the transaction ids of the database start again. */
  @Column('integer', { default: 1 })
  era: number;

  /** SHA-256 of the token that the latest start printed for the initial setup. */
  @Column('bytea', { nullable: true })
  setupTokenHash: Buffer | null;

  /** The number of shards, fixed by the first start with `REDIS_URL`; `null` before. */
  @Column('integer', { nullable: true })
  shards: number | null;
}
