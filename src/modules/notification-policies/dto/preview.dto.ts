import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { NOTIFIED_EVENTS, type NotifiedEvent } from '../../../domain/notification-plan/policy.js';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { CreateNotificationPolicyDto } from './create-notification-policy.dto.js';
import { NotifiedChannelDto } from './monitor-policy.dto.js';

/** An event that has not happened. */
export class PreviewNotificationsDto {
  /** The monitor that the event concerns: its id, or `key:<key>`. @example "key:checkout-api" */
  @IsDefined()
  @IsString()
  @MaxLength(200)
  monitorId: string;

  /** Default `down`. @example "down" */
  @IsOptional()
  @IsIn(NOTIFIED_EVENTS)
  @ApiProperty({ enum: NOTIFIED_EVENTS, default: 'down', required: false })
  event?: NotifiedEvent | null;

  /** When the event is recorded. Default now. @example "2030-01-06T03:00:00.000Z" */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  at?: string | null;

  /** A policy that is not stored, to preview instead of the stored ones. */
  @IsOptional()
  @NestedObject(() => CreateNotificationPolicyDto)
  @ApiProperty({ type: () => CreateNotificationPolicyDto, nullable: true, required: false })
  policy?: CreateNotificationPolicyDto | null;
}

/** Values may be added. */
const KINDS = ['trigger', 'repeat', 'notice'] as const;

/** A notification that would be sent. */
export class PreviewedNotificationDto {
  /** When it would be sent. @example "2030-01-06T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** @example "trigger" */
  @ApiProperty({ enum: KINDS })
  kind: (typeof KINDS)[number];

  /** The policy that causes it. Null for the policy in the request. @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  policyId: string | null;

  /** The step of the policy, counted from 1. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  step: number;

  channel: NotifiedChannelDto;
}

/** A notification that would wait at the end of the period, or would not be sent. */
export class UnsentNotificationDto {
  /** Why it would not be sent. @example "channel_disabled" */
  reason: string;

  /** When it would be sent at the earliest. Null if it would never be. @example null */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  at: string | null;

  /** @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  policyId: string | null;

  /** Null if no policy applies. */
  @ApiProperty({ type: () => NotifiedChannelDto, nullable: true })
  channel: NotifiedChannelDto | null;
}

/** Who would be notified of an event that lasts 24 hours and that nobody acknowledges. */
export class NotificationPreviewDto {
  /** Oldest first. */
  notifications: PreviewedNotificationDto[];

  unsent: UnsentNotificationDto[];
}
