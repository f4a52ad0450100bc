import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The kept answer to a POST that carried an `Idempotency-Key`. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  teamId: string;

  @PrimaryColumn('text')
  key: string;

  /** Of method, path, query and body. */
  @Column('bytea')
  fingerprint: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  claimedAt: Date;

  @Index('idempotency_keys_expires')
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** `null` while the first request is under way. */
  @Column('integer', { nullable: true })
  statusCode: number | null;

  @Column('jsonb', { nullable: true })
  headers: Record<string, string> | null;

  @Column('jsonb', { nullable: true })
  body: unknown;
}
