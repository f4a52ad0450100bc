import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** The bucket of a key that has been used. Unlogged: a crash of the database leaves every bucket full. */
@Entity('rate_limits')
export class RateLimit {
  @PrimaryColumn('uuid')
  keyId: string;

  // By its name: the edge imports no module.
  @ManyToOne('ApiKey', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'key_id' })
  key?: object;

  /** When it is full again, in the database's time. */
  @Column('timestamptz')
  fullAt: Date;
}
