import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
} from 'class-validator';
import { type JsonObject } from '../../../http/body/json.js';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { PROBES } from '../../../probes/index.js';
import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { PauseMonitorDto } from '../../monitors/dto/pause-monitor.dto.js';

export const BULK_ACTIONS = ['pause', 'resume', 'check', 'addTags', 'removeTags', 'patch', 'delete'] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** The filters of the list of monitors. A monitor must match all of them. */
export class BulkFilterDto {
  /**
   * Monitors whose name and target together contain all words of this text, ignoring case.
   * @example "checkout prod"
   */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  q?: string | null;

  /**
   * Monitors with any of these statuses.
   * @example ["down", "degraded"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsIn(MONITOR_STATUSES, { each: true })
  @ApiProperty({ type: [String], enum: MONITOR_STATUSES })
  status?: MonitorStatus[] | null;

  /**
   * Monitors of this type.
   * @example "http"
   */
  @IsOptional()
  @IsIn(PROBES.map((probe) => probe.type))
  @ApiProperty({ enum: PROBES.map((probe) => probe.type) })
  type?: string | null;

  /**
   * Monitors with all of these tags.
   * @example ["production"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[] | null;

  /**
   * `false` selects monitors whose outages nobody is notified of, `true` selects the others.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  @ApiProperty({ type: Boolean, nullable: true, required: false })
  notified?: boolean | null;
}

/** Which monitors to select. Exactly one member must be set. */
export class BulkSelectDto {
  /**
   * Monitors by id or `key:<key>`, 1 to 5,000. An address that matches no monitor fails on its own (`not_found`); a
   * monitor that is listed twice is selected once.
   * @example ["key:checkout-api"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(5_000)
  @IsString({ each: true })
  ids?: string[] | null;

  /**
   * Monitors that have any of these tags, 1 to 50.
   * @example ["payments"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tags?: string[] | null;

  /** Monitors that the list returns with these filters. At least one filter must be set. */
  @IsOptional()
  @NestedObject(() => BulkFilterDto)
  filter?: BulkFilterDto | null;

  /**
   * Every monitor of the team.
   * @example true
   */
  @IsOptional()
  @Equals(true)
  @ApiProperty({ type: Boolean, enum: [true] })
  all?: boolean | null;
}

/** An action on selected monitors. `until`, `durationSeconds` and `reason` belong to the action `pause`. */
export class BulkMonitorsDto extends PauseMonitorDto {
  /**
   * What to do with each monitor. Each action has the same effect as the operation of a single monitor.
   * @example "pause"
   */
  @IsDefined()
  @IsIn(BULK_ACTIONS)
  @ApiProperty({ enum: BULK_ACTIONS })
  action: BulkActionName;

  /** The monitors that match when the request arrives. */
  @IsDefined()
  @NestedObject(() => BulkSelectDto)
  select: BulkSelectDto;

  /**
   * The tags to add or remove, 1 to 50. Required by `addTags` and `removeTags`.
   * @example ["production"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @Length(1, 50, { each: true })
  @SingleLine({ each: true })
  tags?: string[] | null;

  /**
   * A merge patch as in `PATCH /v1/monitors/{id}`, with at least one field. Required by `patch`. `key` and `paused` cannot
   * be patched. Fields that only some types have are validated for each monitor.
   * @example {"intervalSeconds": 30}
   */
  @IsOptional()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: true })
  patch?: JsonObject | null;
}
