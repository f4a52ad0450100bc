import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
} from 'class-validator';
import { MaxLines } from '../../../../http/body/max-lines.decorator.js';
import { SingleLine } from '../../../../http/body/single-line.decorator.js';
import { PageQueryDto } from '../../../../http/lists/page.js';
import { MAX_COMPONENTS } from '../../dto/create-status-page.dto.js';
import { WEBHOOK_STATUSES, type WebhookStatus } from '../webhooks/webhook-status.js';
import { SubscribeDto } from './subscribe.dto.js';

export const SUBSCRIBER_STATUSES = ['pending', 'active', 'bounced', 'complained'] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];
export const SUBSCRIBER_TYPES = ['email', 'webhook'] as const;
export type SubscriberType = (typeof SUBSCRIBER_TYPES)[number];
/** Reasons for which an import skips a line. */
export const SKIP_REASONS = ['invalid_address', 'already_subscribed', 'erased', 'quarantined'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A new subscriber of a status page. */
export class CreateSubscriberDto extends SubscribeDto {
  /**
   * Ids of the components whose updates are sent, at least one. Default null: all components, including those that are
   * added later.
   * @example null
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_COMPONENTS)
  @ArrayUnique()
  @IsString({ each: true })
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' }, nullable: true, required: false })
  componentIds?: string[] | null;

  /**
   * Where the person consented to these emails, 1 to 500 characters: the subscriber is active at once, and nothing is
   * sent. Default null: the address is sent a link to confirm, and nothing else until it is used.
   * @example "Support contract of 1 March 2026"
   */
  @IsOptional()
  @IsString()
  @Length(1, 500)
  @SingleLine()
  consentSource?: string | null;
}

/** Addresses to subscribe, which their owners have confirmed elsewhere. */
export class ImportSubscribersDto {
  /**
   * Where these people consented, 1 to 500 characters. Stored with each of them.
   * @example "Export of the previous status page"
   */
  @IsDefined()
  @IsString()
  @Length(1, 500)
  @SingleLine()
  consentSource: string;

  /**
   * A CSV file, at most 200,000 characters and 10,000 lines: the column `email`, if the first row names one, otherwise
   * the first column.
   * @example "email\njo@example.com\nsam@example.com\n"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200_000)
  @MaxLines(10_000)
  csv: string;
}

/** A line that was not imported. */
export class SkippedLineDto {
  /** The number of the line, from 1. @example 3 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  line: number;

  /**
   * `erased`: the address left the page or was removed from it; only its owner can subscribe it again. `quarantined`:
   * mail to the address bounced, or was reported as spam.
   * @example "already_subscribed"
   */
  @ApiProperty({ enum: SKIP_REASONS })
  reason: SkipReason;
}

/** The result of an import. */
export class ImportedSubscribersDto {
  /** Number of new subscribers. @example 2 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  imported: number;

  /** The lines that were not imported. */
  skipped: SkippedLineDto[];
}

/** Where a subscriber wants updates posted. */
export class SubscriberWebhookDto {
  /** The origin of the address. The rest may authenticate, and is not shown. @example "https://example.com/********" */
  url: string;

  /**
   * Updates are posted while it is `active`, and mailed otherwise. `unanswered`: the address has not answered a challenge
   * yet; `ended`: its receiver refused updates for good, or has failed for three days.
   * @example "active"
   */
  @ApiProperty({ enum: WEBHOOK_STATUSES })
  status: WebhookStatus;

  /** Why the latest challenge or delivery failed; null after a success. @example null */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

/** A subscriber of a status page. */
export class SubscriberDto {
  /** @example "0198c9a4-d6f4-7a32-8b1c-2d3e4f506173" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "0198c9a4-8b10-7d43-a5c2-1d2e3f405162" */
  @ApiProperty({ format: 'uuid' })
  statusPageId: string;

  /**
   * In lower case. Null in the repeated response to a request with an `Idempotency-Key`, for which addresses are not
   * stored.
   * @example "jo@example.com"
   */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** `webhook` if the subscriber has entered a webhook URL, which nobody else can. @example "email" */
  @ApiProperty({ enum: SUBSCRIBER_TYPES })
  type: SubscriberType;

  /** Null for the type `email`, and where `email` is null. @example null */
  @ApiProperty({ type: SubscriberWebhookDto, nullable: true })
  webhook: SubscriberWebhookDto | null;

  /**
   * `pending` until the link in the first mail is used, at most two days. `bounced` and `complained` subscribers are sent
   * nothing: mail to them was returned, or they reported one as spam.
   * @example "active"
   */
  @ApiProperty({ enum: SUBSCRIBER_STATUSES })
  status: SubscriberStatus;

  /** What the mail provider reported about a bounce or complaint, with addresses removed. @example null */
  @ApiProperty({ type: String, nullable: true })
  statusReason: string | null;

  /** Null for all components. May contain components that have since been removed. @example null */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' }, nullable: true })
  componentIds: string[] | null;

  /** Null for subscribers who confirm by mail. @example null */
  @ApiProperty({ type: String, nullable: true })
  consentSource: string | null;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  confirmedAt: string | null;

  /** @example "2026-01-02T07:58:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class SubscriberPageDto {
  data: SubscriberDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Parameters of the list of subscribers. */
export class ListSubscribersDto extends PageQueryDto {
  @IsOptional()
  @IsIn(SUBSCRIBER_STATUSES)
  @ApiPropertyOptional({
    description: 'Only subscribers with this status.',
    enum: SUBSCRIBER_STATUSES,
    example: 'active',
  })
  status?: SubscriberStatus;

  @IsOptional()
  @IsString()
  @MaxLength(254)
  @ApiPropertyOptional({ description: 'Only the subscriber with this address.', example: 'jo@example.com' })
  email?: string;
}

/** Fields that only the service sets. */
export const SUBSCRIBER_READ_ONLY_FIELDS = [
  'id',
  'statusPageId',
  'type',
  'webhook',
  'status',
  'statusReason',
  'confirmedAt',
  'createdAt',
] as const;
