import { ApiProperty } from '@nestjs/swagger';
import { type Scope, SCOPES } from '../../../http/auth/principal.js';

/** An API key, without its secret. */
export class ApiKeyDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Increases with each write by a caller: change, rotation or revocation.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "GitHub Actions" */
  name: string;

  /**
   * The first characters of the secret, which identify the key and are not confidential.
   * @example "dw_4fJq0ZxT"
   */
  prefix: string;

  /**
   * Scopes of the key: `admin` includes `write`, and `write` includes `read`.
   * @example ["write"]
   */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  /**
   * When the key expires: it is rejected from this time on. Null if it never expires.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  expiresAt: string | null;

  /**
   * When the key was last used, with either of its secrets; up to 30 seconds out of date. Null if never used.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  lastUsedAt: string | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /**
   * Who created the key: `system` (the first start or a command), `user:<id>` (a person) or `api-key:<id>`.
   * @example "system"
   */
  createdBy: string;

  /**
   * When the key was revoked; it is rejected from then on. Null if it is not revoked.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  revokedAt: string | null;

  /**
   * Prefix of the secret before the last rotation. Null if that secret is no longer accepted, or there is none.
   * @example null
   */
  previousPrefix: string | null;

  /**
   * When the secret before the last rotation expires. Null if that secret is no longer accepted, or there is none.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  previousExpiresAt: string | null;
}

/** An API key with its new secret. */
export class ApiKeyWithSecretDto extends ApiKeyDto {
  /**
   * The API key itself. It is shown only once and never stored. Null in a response replayed for an `Idempotency-Key`.
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
