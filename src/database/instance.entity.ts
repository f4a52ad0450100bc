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

  /** SHA-256 of the token that the latest start printed for the initial set-up. */
  @Column('bytea', { nullable: true })
  setupTokenHash: Buffer | null;
}
