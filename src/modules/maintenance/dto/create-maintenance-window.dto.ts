import { ApiProperty, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';
import { IsIanaTimeZone } from '../../../http/body/time-zone.decorator.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { MonitorSelectionDto } from '../../monitors/dto/monitor-selection.dto.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

class WindowFieldsDto {
  /**
   * Natural key, unique in the team: address the window as `key:<key>`. Null: none.
   * @example "deploy-42"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Shown name, 1 to 200 characters.
   * @example "Database upgrade"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * At most 2,000 characters.
   * @example "Short interruptions are likely."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * When the first occurrence begins. With `endsAt`; both null: it takes place only when somebody starts it.
   * @example "2030-01-06T01:30:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  startsAt?: string | null;

  /**
   * When the first occurrence ends: a minute to 30 days after `startsAt`. Each one lasts as long.
   * @example "2030-01-06T03:30:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  endsAt?: string | null;

  /**
   * IANA time zone in which occurrences keep their wall-clock time. Default `UTC`.
   * @example "Europe/Berlin"
   */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;

  /**
   * How it recurs: the value of an `RRULE` of RFC 5545, at most 500 characters. `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or
   * `YEARLY`; also `INTERVAL` (to 1,000), `COUNT` (to 10,000), `UNTIL`, `WKST`, `BYMONTH`, `BYMONTHDAY`, `BYYEARDAY`,
   * `BYWEEKNO`, `BYDAY`, `BYHOUR`, `BYSETPOS`. Null: once.
   * @example "FREQ=MONTHLY;BYDAY=1SU"
   */
  @IsOptional()
  @IsString()
  rrule?: string | null;

  /**
   * Whether it may be told to the readers of status pages. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  public?: boolean | null;
}

/** A maintenance window as it is created. A field that is left out, or null, takes its default. */
export class CreateMaintenanceWindowDto extends IntersectionType(WindowFieldsDto, MonitorSelectionDto) {}

/** A JSON merge patch of a maintenance window: what is absent stays, null restores the default, arrays are replaced. */
export class UpdateMaintenanceWindowDto extends PartialType(CreateMaintenanceWindowDto) {}
