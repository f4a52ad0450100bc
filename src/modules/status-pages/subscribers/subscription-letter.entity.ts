import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A mail to an address, or a challenge to the host of a webhook, that somebody caused by entering it. Kept for a day, to
 * limit how many there are.
 */
@Entity('subscription_letters')
@Index('subscription_letters_address', ['addressHash', 'createdAt'])
export class SubscriptionLetter {
  @PrimaryColumn('uuid')
  id: string;

  /** HMAC of what is limited under `SECRET_KEY`: an address, or a host. */
  @Column('bytea')
  addressHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
