import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The stored response to a POST with an `Idempotency-Key`. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  teamId: string;

  @PrimaryColumn('text')
  key: string;

  /** Fingerprint of method, path, query and body. */
  @Column('bytea')
  fingerprint: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  claimedAt: Date;

  @Index('idempotency_keys_expires')
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** `null` while the first request is in progress. */
  @Column('integer', { nullable: true })
  statusCode: number | null;

  @Column('jsonb', { nullable: true })
  headers: Record<string, string> | null;

  @Column('jsonb', { nullable: true })
  body: unknown;
}
