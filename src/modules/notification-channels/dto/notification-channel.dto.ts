import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';
import { CHANNEL_TYPES } from './create-notification-channel.dto.js';

export const CHANNEL_STATUSES = ['ok', 'failing', 'unused'] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

/** Whether a channel works. Tests count, too. */
export class ChannelHealthDto {
  /**
   * `ok`: the last message was sent. `failing`: the last attempt failed. `unused`: nothing has been sent yet.
   * @example "ok"
   */
  @ApiProperty({ enum: CHANNEL_STATUSES })
  status: ChannelStatus;

  /** When a message was last sent. Null if none has been. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastSentAt: string | null;

  /** When an attempt last failed. Null if none has. @example null */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastFailedAt: string | null;

  /** Why the last attempt failed. Null if it did not. @example null */
  lastError: string | null;
}

/** A notification channel: where notifications are sent. */
export class NotificationChannelDto {
  /** @example "0198c9a4-8f1e-7b21-8d4a-5b6c7d8e9f00" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Increases with each write by a caller. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "deploy-bot" */
  key: string | null;

  /** @example "Deploy bot" */
  name: string;

  /** What the channel sends to. @example "webhook" */
  type: string;

  /** Whether the channel sends notifications. @example true */
  enabled: boolean;

  /** The settings of the type, with secrets masked. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  settings: Record<string, unknown>;

  health: ChannelHealthDto;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When a caller last changed the channel. Sending does not change it. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'health',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof NotificationChannelDto)[];

/** Filters of the list of notification channels. A channel must match all of them. */
export class ListNotificationChannelsDto extends PageQueryDto {
  /** Only the channel with this key. @example "deploy-bot" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  /** Only channels of this type. @example "webhook" */
  @IsOptional()
  @IsIn(CHANNEL_TYPES)
  @ApiProperty({ type: String, enum: CHANNEL_TYPES, required: false })
  type?: string;

  @QueryBoolean('`true` lists enabled channels, `false` lists disabled ones.')
  enabled?: boolean;
}
