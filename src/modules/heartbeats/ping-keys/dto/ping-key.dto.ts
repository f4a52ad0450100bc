import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString, Length } from 'class-validator';
import { SingleLine } from '../../../../http/body/single-line.decorator.js';
import { PING_KEY } from '../ping-key-secret.js';

/** The writable fields of a ping key. */
export class CreatePingKeyDto {
  /**
   * Display name, 1 to 200 characters.
   * @example "Cron on web-1"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;
}

/** A ping key, without its secret. */
export class PingKeyDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Cron on web-1" */
  name: string;

  /**
   * The first characters of the secret, which identify the key and are not confidential.
   * @example "4fJq0"
   */
  prefix: string;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /**
   * Who created the key: `user:<id>` (a person) or `api-key:<id>`.
   * @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"
   */
  createdBy: string;
}

/** A new ping key with its secret. */
export class PingKeyWithSecretDto extends PingKeyDto {
  /**
   * The ping key itself. It is shown only once and never stored. Null in a response replayed for an `Idempotency-Key`.
   * @example "4fJq0ZxTXnyR8vK2mLq7Wc"
   */
  @ApiProperty({ pattern: `^${PING_KEY}$` })
  secret: string | null;
}

/** Fields that only the service sets. */
export const PING_KEY_READ_ONLY_FIELDS = [
  'id',
  'prefix',
  'createdAt',
  'createdBy',
  'secret',
] as const satisfies readonly (keyof PingKeyWithSecretDto)[];

export class PingKeyPageDto {
  data: PingKeyDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
