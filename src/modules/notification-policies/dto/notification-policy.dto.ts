import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import {
  NOTIFIED_EVENTS,
  type NotifiedEvent,
  type Weekday,
  WEEKDAYS,
} from '../../../domain/notification-plan/policy.js';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';

/**
 * Selects all monitors, or those that are listed and those that meet every condition on tags and types. Empty lists select
 * and exclude nothing.
 */
export class ShownMatchDto {
  /** Whether all monitors are selected; the other members are then empty. @example false */
  all: boolean;

  /**
   * A deleted monitor is removed from the list. Once all of them are deleted, a policy without `tags`, `allTags` and
   * `types` selects no monitors.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: [String], format: 'uuid' })
  monitorIds: string[];

  /** Selects monitors that have any of these tags. @example ["production"] */
  tags: string[];

  /** Selects monitors that have all of these tags. @example [] */
  allTags: string[];

  /** Never selects monitors that have any of these tags. @example ["staging"] */
  notTags: string[];

  /** Selects monitors of any of these types. @example [] */
  types: string[];
}

export class ShownStepDto {
  /** Seconds after the incident was recorded. @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  afterSeconds: number;

  /** @example ["0198c9a4-8f1e-7b21-8d4a-5b6c7d8e9f00"] */
  @ApiProperty({ type: [String], format: 'uuid' })
  channelIds: string[];
}

export class ShownQuietHoursDto {
  /** @example "Europe/Berlin" */
  timezone: string;

  /** The days on which quiet hours start. @example ["saturday", "sunday"] */
  @ApiProperty({ enum: WEEKDAYS, isArray: true })
  days: Weekday[];

  /** @example "22:00" */
  from: string;

  /** @example "07:00" */
  to: string;

  /** Events that quiet hours do not hold back. @example ["down"] */
  @ApiProperty({ enum: NOTIFIED_EVENTS, isArray: true })
  except: NotifiedEvent[];
}

/** A notification policy: who is notified of which events of which monitors. */
export class NotificationPolicyDto {
  /** @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Increases with each write by a caller. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "production" */
  key: string | null;

  /** @example "Production" */
  name: string;

  /** Whether the policy notifies. @example true */
  enabled: boolean;

  match: ShownMatchDto;

  /** The events that the policy notifies of. @example ["down"] */
  @ApiProperty({ enum: NOTIFIED_EVENTS, isArray: true })
  on: NotifiedEvent[];

  steps: ShownStepDto[];

  /** The last step is repeated after this many seconds. Null if it is not. @example 1800 */
  @ApiProperty({ type: 'integer', nullable: true })
  repeatEverySeconds: number | null;

  @ApiProperty({ type: () => ShownQuietHoursDto, nullable: true })
  quietHours: ShownQuietHoursDto | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When a caller last changed the policy. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof NotificationPolicyDto)[];

export class NotificationPolicyPageDto {
  data: NotificationPolicyDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Filters of the list of notification policies. A policy must match all of them. */
export class ListNotificationPoliciesDto extends PageQueryDto {
  /** Only the policy with this key. @example "production" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @QueryBoolean('`true` lists enabled policies, `false` lists disabled ones.')
  enabled?: boolean;
}
