import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsObject, IsOptional, IsString, Length } from 'class-validator';
import { CHANNELS } from '../../../channels/index.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';

export const CHANNEL_TYPES = CHANNELS.map(({ type }) => type);

/** The writable fields of a notification channel. A field that is omitted or null takes its default. */
export class CreateNotificationChannelDto {
  /**
   * A key of your choice, unique in the team. The channel can be addressed as `key:<key>`. Null if it has none.
   * @example "deploy-bot"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Display name, 1 to 200 characters.
   * @example "Deploy bot"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * What the channel sends to. Cannot be changed after creation.
   * @example "webhook"
   */
  @IsDefined()
  @IsIn(CHANNEL_TYPES)
  @ApiProperty({ type: String, enum: CHANNEL_TYPES })
  type: string;

  /**
   * Whether the channel sends notifications. A disabled channel can be tested. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  enabled?: boolean | null;

  /** The settings of the type. */
  @IsDefined()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: true })
  settings: Record<string, unknown>;
}

/**
 * A JSON merge patch of a notification channel. Absent fields do not change, null restores the default, arrays are
 * replaced.
 */
export class UpdateNotificationChannelDto extends PartialType(CreateNotificationChannelDto) {}
