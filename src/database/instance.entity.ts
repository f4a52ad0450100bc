import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Facts of this installation: one row. */
@Entity('instance')
export class Instance {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  /** Tells whether `SECRET_KEY` is the one the data was sealed with. */
  @Column('text')
  secretKeyFingerprint: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** SHA-256 of the token that the latest start has printed for the first set-up. */
  @Column('bytea', { nullable: true })
  setupTokenHash: Buffer | null;
}
