import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { Distinct } from '../../../http/body/distinct.decorator.js';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { PROBES } from '../../../probes/index.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IsMetadata } from './metadata.validator.js';
import { IsQuorum } from './quorum.validator.js';

/** What every monitor has, whatever its type. A field that is left out, or null, takes its default. */
export class MonitorDefinitionDto {
  /**
   * Natural key, unique in the team: address the monitor as `key:<key>`. Null: none.
   * @example "checkout-api"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Shown name, 1 to 200 characters.
   * @example "Checkout API"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * Free text, at most 2,000 characters.
   * @example "Answers for the payment pages."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * What is checked. Fixed after creation.
   * @example "http"
   */
  @IsDefined()
  @IsIn(PROBES.map((probe) => probe.type))
  type: string;

  /**
   * Seconds between two scheduled checks. The operator sets a minimum (5 unless changed). Default 60.
   * @example 60
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400)
  intervalSeconds?: number;

  /**
   * Milliseconds after which the whole check, redirects included, has failed. At most the interval. Default: 10,000, or
   * the interval where that is shorter.
   * @example 10000
   */
  @IsOptional()
  @IsInt()
  @Min(100)
  @Max(60_000)
  timeoutMs?: number;

  /**
   * Milliseconds; a passing check that took longer counts as `degraded`, confirmed by the same thresholds. Null: never.
   * @example 2000
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(60_000)
  degradedAfterMs?: number | null;

  /**
   * Consecutive failing checks before the monitor is `down`. Default 2.
   * @example 2
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  failureThreshold?: number;

  /**
   * Consecutive passing checks before the monitor is `up` again. Default 1.
   * @example 1
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  recoveryThreshold?: number;

  /**
   * Seconds between re-checks while a change is unconfirmed. Null: a third of the interval, at least 1.
   * @example 20
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_600)
  retryIntervalSeconds?: number | null;

  /**
   * Where to check from. Default `["default"]`.
   * @example ["default"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @Distinct()
  @IsString({ each: true })
  @Length(1, 50, { each: true })
  @SingleLine({ each: true })
  locations?: string[];

  /**
   * How many locations must be down for the monitor to be down: `any`, `majority`, `all` or a number. Default `majority`.
   * @example "majority"
   */
  @IsOptional()
  @IsQuorum()
  @ApiProperty({ oneOf: [{ enum: ['any', 'majority', 'all'] }, { type: 'integer', minimum: 1, maximum: 20 }] })
  quorum?: string | number;

  /**
   * Labels, at most 50 of 50 characters. Default none.
   * @example ["production", "payments"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @Distinct()
  @IsString({ each: true })
  @Length(1, 50, { each: true })
  @SingleLine({ each: true })
  tags?: string[];

  /**
   * Monitors of the team that this one depends on, such as the router before a server: each by id or `key:<key>`, at
   * most 20, never in a circle. Answered as ids, and in a definition by their keys where they have one. A parent
   * that is deleted is taken out. Default none.
   * @example []
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  parentIds?: string[];

  /**
   * Values of your own, returned as given: at most 50 keys, each a string. Default empty.
   * @example {"service": "checkout"}
   */
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;

  /**
   * When the monitor is deleted by itself, as for a preview environment. Null: never.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  expiresAt?: string | null;
}

/** A monitor as it is created. */
export class CreateMonitorDto extends MonitorDefinitionDto {
  /**
   * Seconds from now after which the monitor is deleted by itself: shorthand for `expiresAt`.
   * @example 86400
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(315_360_000)
  expiresInSeconds?: number | null;

  /**
   * Create without checking: the monitor starts paused. Default false.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  paused?: boolean;
}
