import { ApiProperty, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';
import { IsIanaTimeZone } from '../../../http/body/time-zone.decorator.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { MonitorSelectionDto } from '../../monitors/dto/monitor-selection.dto.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

class WindowFieldsDto {
  /**
   * A key of your choice, unique in the team. The window can be addressed as `key:<key>`. Null if it has none.
   * @example "deploy-42"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Display name, 1 to 200 characters.
   * @example "Database upgrade"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * Free text, at most 2,000 characters.
   * @example "Short interruptions are likely."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * When the first occurrence begins. Requires `endsAt`. If both are null, the window has no schedule and is active
   * only when it is started manually.
   * @example "2030-01-06T01:30:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  startsAt?: string | null;

  /**
   * When the first occurrence ends: one minute to 30 days after `startsAt`. All occurrences have the same length.
   * @example "2030-01-06T03:30:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  endsAt?: string | null;

  /**
   * IANA time zone of the schedule: occurrences keep their local time across changes of the UTC offset. Default `UTC`.
   * @example "Europe/Berlin"
   */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;

  /**
   * Recurrence rule: the value of an `RRULE` of RFC 5545, at most 500 characters. `FREQ` is `DAILY`, `WEEKLY`,
   * `MONTHLY` or `YEARLY`. Supports `INTERVAL` (up to 1,000), `COUNT` (up to 10,000), `UNTIL`, `WKST`, `BYMONTH`,
   * `BYMONTHDAY`, `BYYEARDAY`, `BYWEEKNO`, `BYDAY`, `BYHOUR` and `BYSETPOS`. Null if the window occurs only once.
   * @example "FREQ=MONTHLY;BYDAY=1SU"
   */
  @IsOptional()
  @IsString()
  rrule?: string | null;

  /**
   * Whether status pages may announce the window. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  public?: boolean | null;

  /**
   * Whether subscribers of status pages are informed when the window is announced or its schedule changes, when it
   * begins and when it ends. Has no effect unless the window is public. Default true; false for a window that recurs.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  notifySubscribers?: boolean | null;
}

/** The writable fields of a maintenance window. A field that is omitted or null takes its default. */
export class CreateMaintenanceWindowDto extends IntersectionType(WindowFieldsDto, MonitorSelectionDto) {}

/**
 * A JSON merge patch of a maintenance window. Absent fields do not change, null restores the default, arrays are
 * replaced.
 */
export class UpdateMaintenanceWindowDto extends PartialType(CreateMaintenanceWindowDto) {}
