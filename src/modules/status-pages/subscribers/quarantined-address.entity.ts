import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type QuarantineStatus } from '../../../domain/mail-quarantine.js';

/** What mail providers reported about an address, for all pages of all teams: it is one mailbox, and one sender. */
@Entity('quarantined_addresses')
export class QuarantinedAddress {
  /** HMAC of the address under `SECRET_KEY`. */
  @PrimaryColumn('bytea')
  addressHash: Buffer;

  /** Null if the address may be sent mail: temporary bounces are only counted, or an administrator lifted the quarantine. */
  @Column('text', { nullable: true })
  status: QuarantineStatus | null;

  /** In words, without addresses. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column('integer', { default: 0 })
  transientBounces: number;

  /** When the latest temporary bounce was counted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  countedAt: Date | null;

  /** The ids of the latest webhooks about the address, so that a repeated one changes nothing. */
  @Column('text', { array: true })
  messageIds: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
