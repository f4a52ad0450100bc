import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Assertion, type AssertionSource } from '../../domain/assertions.js';
import { type HeartbeatSchedule, scheduleFault } from '../../domain/heartbeat/heartbeat-schedule.js';
import { MASK } from '../../domain/mask.js';
import { AssertionDto, AssertionList } from '../assertion.dto.js';
import { patternFault } from '../pattern.rules.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';

export const PING_METHODS = ['GET', 'HEAD', 'POST'] as const;
export type PingMethod = (typeof PING_METHODS)[number];

/** A UUID, or 32 letters and digits as in addresses of Uptime Kuma. A ping key has 22, which distinguishes them. */
export const TOKEN = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Za-z]{32})$/;

/** When the job is expected to report: exactly one of `everySeconds`, `cron` and `onCalendar`. */
export class HeartbeatScheduleFields {
  /**
   * Seconds after a report within which the next one is due.
   * @example null
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(31_622_400)
  everySeconds?: number | null;

  /**
   * A cron expression with five fields (crontab(5)), or a nickname such as `@daily`. `L` is the last day of the month,
   * `5L` the last Friday and `5#2` the second Friday of the month.
   * @example "0 2 * * *"
   */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  @Rule('invalid_value', faultIn('cron'), 'cron')
  cron?: string | null;

  /**
   * A calendar event of a systemd timer (systemd.time(7)), without a time zone.
   * @example null
   */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Rule('invalid_value', faultIn('onCalendar'), 'onCalendar')
  onCalendar?: string | null;

  /**
   * The time zone of `cron` or `onCalendar`, by its IANA name. Default `UTC`.
   * @example "Europe/Berlin"
   */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @Rule('invalid_value', faultIn('timezone'), 'timezone')
  timezone?: string | null;
}

/** What the monitor expects. */
export class HeartbeatSettings {
  /**
   * When the job is expected to report.
   * @example {"everySeconds": null, "cron": "0 2 * * *", "onCalendar": null, "timezone": "Europe/Berlin"}
   */
  @IsObject()
  @ValidateNested()
  @Rule('invalid_value', oneKind, 'oneKind')
  @Type(() => HeartbeatScheduleFields)
  schedule: HeartbeatScheduleFields;

  /**
   * How late a report may be, in seconds, at most a day. Defaults to a tenth of the shortest interval of the schedule,
   * at least 5 and at most 60 minutes.
   * @example 1800
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400)
  graceSeconds?: number | null;

  /**
   * Methods with which the job may report. Default all.
   * @example ["GET", "HEAD", "POST"]
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(3)
  @ArrayUnique()
  @IsIn(PING_METHODS, { each: true })
  methods?: PingMethod[] | null;

  /**
   * A regular expression (RE2 syntax). A report whose body contains a match counts as a failure, unless the searches of
   * the team take too long. Null for none.
   * @example null
   */
  @IsOptional()
  @IsString()
  @Rule('invalid_value', patternFault, 'pattern')
  failWhenBodyMatches?: string | null;

  /**
   * How long a run may take after it has reported its start, in seconds, at most a week. Null if only the next due time
   * limits it.
   * @example 3600
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(604_800)
  maxRunSeconds?: number | null;
}

/** An assertion about a report. */
export class HeartbeatAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['runSeconds'];
  static override readonly example: Assertion = { source: 'runSeconds', comparison: 'greaterThan', target: 10 };
}

/** The fields of a monitor of type `heartbeat`. */
export class HeartbeatFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [HeartbeatAssertion, HeartbeatScheduleFields, HeartbeatSettings];

  /**
   * When reports are expected, and what counts as a failure.
   * @example {"schedule": {"cron": "0 2 * * *", "timezone": "Europe/Berlin"}, "maxRunSeconds": 3600}
   */
  @IsObject()
  @ValidateNested()
  @Type(() => HeartbeatSettings)
  settings: HeartbeatSettings;

  /**
   * The secret part of the address to which the job reports: a UUID, or 32 letters and digits. May be set so that an
   * imported monitor keeps its address; otherwise it is random. Responses contain `"********"`; sending that string keeps
   * it. `pingUrl` contains the whole address.
   * @example "********"
   */
  @MayBeLeftOut()
  @IsString()
  @Rule('invalid_value', tokenFault, 'token')
  token?: string;

  /**
   * At most 20 assertions about reports of success. `runSeconds` is the duration of the run, and fails if the job has
   * reported neither its start nor a duration.
   * @example [{ "source": "runSeconds", "comparison": "greaterThan", "target": 10 }]
   */
  @ArrayMaxSize(20)
  @AssertionList(() => HeartbeatAssertion)
  assertions?: HeartbeatAssertion[];
}

/** Returns a complete schedule as the rules of heartbeats describe it. */
export function scheduleOf({ everySeconds, cron, onCalendar, timezone }: HeartbeatScheduleFields): HeartbeatSchedule {
  if (everySeconds != null) return { everySeconds };
  const zone = timezone ?? 'UTC';
  return cron == null ? { onCalendar: onCalendar!, timezone: zone } : { cron, timezone: zone };
}

function kindsOf({ everySeconds, cron, onCalendar }: HeartbeatScheduleFields): unknown[] {
  return [everySeconds, cron, onCalendar].filter((one) => one !== undefined && one !== null);
}

function oneKind(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const schedule = value as HeartbeatScheduleFields;
  return kindsOf(schedule).length === 1 ? null : 'must have exactly one of everySeconds, cron and onCalendar';
}

/** Returns a rule for a member of a schedule. It receives the schedule before it is fully validated. */
function faultIn(member: 'cron' | 'onCalendar' | 'timezone'): (value: unknown, schedule: object) => string | null {
  return (value, object) => {
    const schedule = object as HeartbeatScheduleFields;
    const texts = [schedule.cron, schedule.onCalendar, schedule.timezone].filter((one) => one != null);
    const isWhole = kindsOf(schedule).length === 1 && schedule.everySeconds == null;
    if (typeof value !== 'string' || !isWhole || texts.some((one) => typeof one !== 'string' || one.length > 200)) {
      return null;
    }
    const found = scheduleFault(scheduleOf(schedule), Date.now());
    return found?.member === member ? found.fault : null;
  };
}

function tokenFault(value: unknown): string | null {
  if (typeof value !== 'string' || value === MASK || TOKEN.test(value)) return null;
  return 'must be a UUID in lower case, or 32 letters and digits';
}
