import { ApiProperty } from '@nestjs/swagger';
import { type Scope, SCOPES } from '../../../http/auth/principal.js';

/** An API key, as it is shown: never with its secret. */
export class ApiKeyDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Rises with each write by a caller: change, rotation, revocation.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "GitHub Actions" */
  name: string;

  /**
   * The public start of the secret, by which a key is recognised.
   * @example "dw_4fJq0ZxT"
   */
  prefix: string;

  /**
   * What the key may do: `admin` includes `write`, `write` includes `read`.
   * @example ["write"]
   */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  /**
   * From this time on the key is refused. Null: it does not expire.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  expiresAt: string | null;

  /**
   * When the key was last accepted, by either of its secrets; up to 30 seconds behind. Null: never yet.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  lastUsedAt: string | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /**
   * `system` (the first start, or a command), `user:<id>` (a person) or `api-key:<id>`.
   * @example "system"
   */
  createdBy: string;

  /**
   * When the key was revoked; it is refused since.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  revokedAt: string | null;

  /**
   * The prefix of the secret before the last rotation. Null: it is refused, or there was none.
   * @example null
   */
  previousPrefix: string | null;

  /**
   * From this time on the secret before the last rotation is refused too. Null: it is already, or there was none.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  previousExpiresAt: string | null;
}

/** A key with its new secret. */
export class ApiKeyWithSecretDto extends ApiKeyDto {
  /**
   * The API key itself: shown this once, and kept nowhere. Null where the answer is a replay by `Idempotency-Key`.
   * @example "dw_4fJq0ZxTXnyR8vK2mLq7Wc1BsD5hG9tEoUiPaY3zNfVjQkAbCdE_20rkpA"
   */
  @ApiProperty({ pattern: '^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$' })
  secret: string | null;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'prefix',
  'lastUsedAt',
  'createdAt',
  'createdBy',
  'revokedAt',
  'previousPrefix',
  'previousExpiresAt',
  'secret',
] as const satisfies readonly (keyof ApiKeyWithSecretDto)[];

export class ApiKeyPageDto {
  data: ApiKeyDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
