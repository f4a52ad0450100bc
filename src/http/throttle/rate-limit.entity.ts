import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** The bucket of a key that has been used. Unlogged: after a crash of the database, every bucket is full. */
@Entity('rate_limits')
export class RateLimit {
  @PrimaryColumn('uuid')
  keyId: string;

  // Refers to the entity by name, because src/http imports no module.
  @ManyToOne('ApiKey', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'key_id' })
  key?: object;

  /** When the bucket is full again, by the database's clock. */
  @Column('timestamptz')
  fullAt: Date;
}
