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
import { webAddressProblem } from '../../../probes/host.rules.js';
import { PROBES } from '../../../probes/index.js';
import { Rule } from '../../../probes/rule.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IsMetadata } from './metadata.validator.js';
import { IsQuorum } from './quorum.validator.js';

/** The fields that all monitor types have in common. A field that is omitted or null takes its default. */
export class MonitorDefinitionDto {
  /**
   * A key of your choice, unique in the team. The monitor can be addressed as `key:<key>`. Null if it has none.
   * @example "checkout-api"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Display name, 1 to 200 characters.
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
   * Address of the instructions for an outage, at most 2,048 characters: an absolute http or https URL without user
   * information. Notifications link to it. Null if there is none.
   * @example "https://wiki.example.com/runbooks/checkout-api"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  runbookUrl?: string | null;

  /**
   * The type of the monitor, which determines how it is checked. Cannot be changed after creation.
   * @example "http"
   */
  @IsDefined()
  @IsIn(PROBES.map((probe) => probe.type))
  type: string;

  /**
   * Seconds between two scheduled checks. The operator can set a minimum, which is 5 by default. Default 60, for
   * domains 86,400.
   * @example 60
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400)
  intervalSeconds?: number;

  /**
   * Milliseconds after which the whole check, including redirects, fails. Must not exceed the interval. Defaults to
   * 10,000, or to the interval if that is shorter.
   * @example 10000
   */
  @IsOptional()
  @IsInt()
  @Min(100)
  @Max(60_000)
  timeoutMs?: number;

  /**
   * Milliseconds. A passing check that takes longer counts as `degraded`, which is confirmed by the same thresholds as
   * other changes. Null if no check counts as degraded.
   * @example 2000
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(60_000)
  degradedAfterMs?: number | null;

  /**
   * Number of consecutive failing checks that confirm `down`. Default 2, for heartbeat monitors 1.
   * @example 2
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  failureThreshold?: number;

  /**
   * Number of consecutive passing checks that confirm `up` after `down`. Default 1.
   * @example 1
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  recoveryThreshold?: number;

  /**
   * Seconds between retries while a change of state is unconfirmed. If null, a third of the interval, but at least 1.
   * @example 20
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_600)
  retryIntervalSeconds?: number | null;

  /**
   * The locations from which the monitor is checked. Default `["default"]`.
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
   * Number of locations that must be down for the monitor to be down: `any`, `majority`, `all` or a number. Default
   * `majority`.
   * @example "majority"
   */
  @IsOptional()
  @IsQuorum()
  @ApiProperty({ oneOf: [{ enum: ['any', 'majority', 'all'] }, { type: 'integer', minimum: 1, maximum: 20 }] })
  quorum?: string | number;

  /**
   * Tags: at most 50, of at most 50 characters each. Default none.
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
   * Monitors of the team that this one depends on, such as the router in front of a server: at most 20, each by id or
   * `key:<key>`. Dependencies must not form a cycle. A monitor is returned with ids, a definition with `key:<key>` for
   * parents that have a key. A deleted monitor is removed from the list. Default none.
   * @example []
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  parentIds?: string[];

  /**
   * Custom data, returned unchanged: at most 50 keys of 1 to 100 characters, whose values are strings of at most 1,000
   * characters. Default empty.
   * @example {"service": "checkout"}
   */
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;

  /**
   * When the monitor is deleted automatically, for example with a preview environment. Null if it is never deleted
   * automatically.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  expiresAt?: string | null;
}

/** The writable fields of a new monitor. */
export class CreateMonitorDto extends MonitorDefinitionDto {
  /**
   * Seconds from now after which the monitor is deleted automatically; an alternative to `expiresAt`.
   * @example 86400
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(315_360_000)
  expiresInSeconds?: number | null;

  /**
   * Whether the monitor is paused and therefore not checked. Default false.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  paused?: boolean;
}
