import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { IsIanaTimeZone } from '../../../http/body/time-zone.decorator.js';
import { CreateNotificationPolicyDto } from './create-notification-policy.dto.js';
import { NotifiedChannelDto } from './monitor-policy.dto.js';

/** The policies to test, and the time zone of the hours. */
export class BacktestNotificationsDto {
  /** The stored policy to test alone: its id, or `key:<key>`. @example "key:production" */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @ApiProperty({ type: String, nullable: true, required: false })
  policyId?: string | null;

  /** A policy that is not stored, to test alone. */
  @IsOptional()
  @NestedObject(() => CreateNotificationPolicyDto)
  @ApiProperty({ type: () => CreateNotificationPolicyDto, nullable: true, required: false })
  policy?: CreateNotificationPolicyDto | null;

  /** IANA time zone of `byHour` and `atNight`. Default `UTC`. @example "Europe/Berlin" */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;
}

export class BacktestAlertsDto {
  /** Number of alerts that were recorded in the period. @example 42 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  recorded: number;

  /** Number of these alerts that were tested, which are the latest. @example 42 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  tested: number;

  /** Number of tested alerts that would have notified someone. @example 30 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  notified: number;
}

export class BacktestedChannelDto {
  channel: NotifiedChannelDto;

  /** @example 61 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  notifications: number;

  /** Number of these notifications from 22:00 to 07:00. @example 12 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  atNight: number;
}

/** How many notifications policies would have caused. */
export class NotificationBacktestDto {
  /** Beginning of the period, 90 days before its end. @example "2026-08-27T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** End of the period: now. @example "2026-11-25T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /** @example "Europe/Berlin" */
  timezone: string;

  /** Incidents, and, if a policy names them in `on`, times of degradation and starts and ends of maintenance. */
  alerts: BacktestAlertsDto;

  /**
   * Whether all alerts were tested to their end. If false, the counts are too low: there were too many alerts, or repeats
   * of a long one.
   * @example true
   */
  complete: boolean;

  /** All notifications, before those of a storm are collected into one message. @example 84 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  notifications: number;

  /** Number of these notifications from 22:00 to 07:00. @example 15 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  atNight: number;

  /**
   * Notifications by hour of the day: 24 numbers, the first for the hour from midnight.
   * @example [2, 1, 0, 0, 3, 2, 1, 4, 6, 5, 4, 4, 3, 5, 6, 6, 5, 4, 3, 4, 5, 4, 4, 3]
   */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 24, maxItems: 24 })
  byHour: number[];

  /** Each channel that the policies name, the most notified first. */
  channels: BacktestedChannelDto[];
}
