import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
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
  Matches,
  Max,
  Min,
} from 'class-validator';
import {
  DEFAULT_EVENTS,
  NOTIFIED_EVENTS,
  type NotifiedEvent,
  type Weekday,
  WEEKDAYS,
} from '../../../domain/notification-plan/policy.js';
import { Distinct } from '../../../http/body/distinct.decorator.js';
import { NestedArray, NestedObject } from '../../../http/body/nested.decorators.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IsIanaTimeZone } from '../../../http/body/time-zone.decorator.js';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';
import { PolicyMatchDto } from './policy-match.dto.js';

export const MAX_STEPS = 10;
export const MAX_STEP_CHANNELS = 20;
const WEEK_SECONDS = 604_800;
const MIN_REPEAT_SECONDS = 300;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const CLOCK_RULE = { message: '$property must be a time of day, such as 22:00' };

/** A step of a policy: the channels that are notified, and when. */
export class PolicyStepDto {
  /**
   * Seconds after the incident was recorded, at most 604,800; not less than that of the previous step. A later step
   * runs only while the incident is open and not acknowledged.
   * @example 300
   */
  @IsDefined()
  @IsInt()
  @Min(0)
  @Max(WEEK_SECONDS)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: WEEK_SECONDS })
  afterSeconds: number;

  /** Notification channels of the team, each by id or `key:<key>`; 1 to 20. @example ["key:ops"] */
  @IsDefined()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_STEP_CHANNELS)
  @IsString({ each: true })
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_STEP_CHANNELS })
  channelIds: string[];
}

/** Times of the week in which notifications wait. A night belongs to the day on which it starts. */
export class QuietHoursDto {
  /** IANA time zone of `from` and `to`. Default `UTC`. @example "Europe/Berlin" */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;

  /** The days on which quiet hours start. Default all. @example ["saturday", "sunday"] */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @Distinct()
  @IsIn(WEEKDAYS, { each: true })
  @ApiProperty({ enum: WEEKDAYS, isArray: true, minItems: 1, required: false })
  days?: Weekday[] | null;

  /** Start, `HH:MM`. @example "22:00" */
  @IsDefined()
  @Matches(CLOCK, CLOCK_RULE)
  from: string;

  /** End, `HH:MM`: on the next day unless it is later than `from`. @example "07:00" */
  @IsDefined()
  @Matches(CLOCK, CLOCK_RULE)
  to: string;

  /** Events that quiet hours do not hold back. Default none. @example ["down"] */
  @IsOptional()
  @IsArray()
  @Distinct()
  @IsIn(NOTIFIED_EVENTS, { each: true })
  @ApiProperty({ enum: NOTIFIED_EVENTS, isArray: true, required: false })
  except?: NotifiedEvent[] | null;
}

/** The writable fields of a notification policy. A field that is omitted or null takes its default. */
export class CreateNotificationPolicyDto {
  /**
   * A key of your choice, unique in the team. The policy can be addressed as `key:<key>`. Null if it has none.
   * @example "production"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /** Display name, 1 to 200 characters. @example "Production" */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /** Whether the policy notifies. Default true. @example true */
  @IsOptional()
  @IsBoolean()
  enabled?: boolean | null;

  /** The monitors that the policy applies to. */
  @IsDefined()
  @NestedObject(() => PolicyMatchDto)
  match: PolicyMatchDto;

  /**
   * The events to notify of. `down` includes the recovery. `location_offline`: nothing was checked for at least five
   * minutes, which is known once the service runs again, or a location has had no worker for five minutes, or its results
   * contradict those of others. `channel_failing`: a receiver refused a channel's message permanently, or the channel has
   * failed for two minutes. `certificate_expiring`: a certificate presented to a monitor expires in 30, 14, 7, 3 or 1 days;
   * not more than a third of its lifetime. `domain_expiring`: the registration of a domain expires in 30, 14, 7, 3 or 1 days.
   * `unknown`: a monitor has not been observed for five minutes, one notification for all monitors with the same cause; or
   * heartbeat monitors have never had a report, one notification a day. Default `down`, `unknown`, `location_offline` and
   * `channel_failing`.
   * @example ["down"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @Distinct()
  @IsIn(NOTIFIED_EVENTS, { each: true })
  @ApiProperty({ enum: NOTIFIED_EVENTS, isArray: true, minItems: 1, default: DEFAULT_EVENTS, required: false })
  on?: NotifiedEvent[] | null;

  /** Whom to notify, and when: 1 to 10 steps. Events other than `down` take the first step alone. */
  @IsDefined()
  @ArrayMinSize(1)
  @NestedArray(() => PolicyStepDto, MAX_STEPS)
  @ApiProperty({ type: () => [PolicyStepDto], minItems: 1, maxItems: MAX_STEPS })
  steps: PolicyStepDto[];

  /**
   * Repeats the last step after this many seconds while the incident is open and not acknowledged: 300 to 604,800.
   * Null, the default, does not repeat it.
   * @example 1800
   */
  @IsOptional()
  @IsInt()
  @Min(MIN_REPEAT_SECONDS)
  @Max(WEEK_SECONDS)
  @ApiProperty({ type: 'integer', nullable: true, minimum: MIN_REPEAT_SECONDS, maximum: WEEK_SECONDS, required: false })
  repeatEverySeconds?: number | null;

  /** Holds notifications back until the end of quiet hours; recoveries of alerts that were sent are not held. Default none. */
  @IsOptional()
  @NestedObject(() => QuietHoursDto)
  @ApiProperty({ type: () => QuietHoursDto, nullable: true, required: false })
  quietHours?: QuietHoursDto | null;
}

/** Changes to quiet hours. If the policy has none yet, `from` and `to` are required. */
export class UpdateQuietHoursDto extends PartialType(QuietHoursDto) {}

/**
 * A JSON merge patch of a notification policy. Absent fields do not change, null restores the default, arrays are
 * replaced.
 */
export class UpdateNotificationPolicyDto extends PartialType(OmitType(CreateNotificationPolicyDto, ['quietHours'])) {
  /** Null removes the quiet hours. */
  @IsOptional()
  @NestedObject(() => UpdateQuietHoursDto)
  @ApiProperty({ type: () => UpdateQuietHoursDto, nullable: true, required: false })
  quietHours?: UpdateQuietHoursDto | null;
}
