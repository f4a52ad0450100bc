import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A mail that somebody caused by entering an address. Kept for a day, to limit how many an address is sent. */
@Entity('subscription_letters')
@Index('subscription_letters_address', ['addressHash', 'createdAt'])
export class SubscriptionLetter {
  @PrimaryColumn('uuid')
  id: string;

  /** HMAC of the address under `SECRET_KEY`. */
  @Column('bytea')
  addressHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
