import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CHECK_TRIGGERS, type CheckTrigger, RESULT_STATUSES, type ResultStatus } from '../../../domain/check-result.js';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { CursorQueryDto, DEFAULT_PAGE_SIZE, PageLimit } from '../../../http/lists/page.js';
import { QueryBoolean, QueryTime } from '../../../http/lists/query.decorators.js';
import { QueryLocation } from '../../locations/query-location.decorator.js';

const MAX_CHECKS = 1_000;

/** Durations of the phases of a check, in milliseconds. Null if a phase was not reached or does not apply. */
export class TimingsDto {
  /** @example 12.4 */
  dnsMs: number | null;
  /** @example 20.1 */
  connectMs: number | null;
  /** @example 31.7 */
  tlsMs: number | null;
  /** From the end of the request to the first byte of the response. @example 44.0 */
  firstByteMs: number | null;
  /** @example 3.2 */
  transferMs: number | null;
}

/** Why a check did not pass. */
export class CheckErrorDto {
  /**
   * One of the published error codes.
   * @example "unexpected_status"
   */
  @ApiProperty({ enum: ERROR_CODES })
  code: string;
  /** @example "The target answered with status 503." */
  message: string;
}

/** An assertion that failed. */
export class FailedAssertionDto {
  /**
   * Index in the monitor's `assertions`.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index: number;
  /**
   * The actual value; null if it would disclose content of the response body. Secrets of the definition, and the values
   * of headers whose name suggests a secret or is in `secretHeaders`, are `"********"`. For `matchesSchema`, the place in
   * the schema that is violated.
   * @example 503
   */
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] })
  actual: string | number | null;
}

/** What a job reported at the end of a run. */
export class RunDto {
  /**
   * The id that the job sent, which pairs the start of a run with its end.
   * @example "4f2c"
   */
  runId: string | null;
  /**
   * The exit status that the job reported.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 255 })
  exitStatus: number | null;
  /**
   * From the start of the run to its end, in milliseconds; null if the job reported neither its start
   * nor a duration.
   * @example 42000.5
   */
  durationMs: number | null;
  /**
   * The first 10,000 bytes of the body.
   * @example "12 tables, 3.1 GB"
   */
  log: string | null;
}

/** A finished check. */
export class CheckDto {
  /**
   * An opaque id.
   * @example "bWZ1c2o0aTAuMC5kZWZhdWx0"
   */
  id: string;

  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /**
   * Revision of the definition that was checked.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  monitorRevision: number;

  /**
   * The slot: the time at which the check was due or, outside the schedule, the time of the request.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  scheduledAt: string;

  /**
   * When the check started.
   * @example "2026-01-01T12:00:00.012Z"
   */
  @ApiProperty({ format: 'date-time' })
  checkedAt: string;

  /** @example "default" */
  location: string;

  /** @example "schedule" */
  @ApiProperty({ enum: CHECK_TRIGGERS })
  trigger: CheckTrigger;

  /**
   * 0 for the first check of a slot, 1 and up for retries.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attempt: number;

  /**
   * The outcome of this check; `unknown` if the service could not carry it out.
   * @example "up"
   */
  @ApiProperty({ enum: RESULT_STATUSES })
  status: ResultStatus;

  /**
   * HTTP status of the last response.
   * @example 200
   */
  @ApiProperty({ type: 'integer', minimum: 100, maximum: 999 })
  statusCode: number | null;

  /**
   * Duration of the whole check including redirects, the round-trip time of a ping, or the duration of a run that a job
   * reported, in milliseconds. Null if there was no response. Delays of the checking thread itself are excluded.
   * @example 111.4
   */
  responseTimeMs: number | null;

  /** How long each phase took. */
  timings: TimingsDto;

  /**
   * The IP address that the check connected to.
   * @example "203.0.113.7"
   */
  remoteAddress: string | null;

  /** Why the check did not pass; null if it passed. */
  @ApiProperty({ example: null })
  error: CheckErrorDto | null;

  /** The assertions that failed. @example [] */
  failedAssertions: FailedAssertionDto[];

  /** The run that a job reported; null for other checks. */
  @ApiProperty({ example: null })
  run: RunDto | null;
}

/** The result of a trial check, which is not stored. Fields that only a stored check has are null. */
export class TrialCheckDto extends OmitType(CheckDto, [
  'id',
  'monitorId',
  'monitorRevision',
  'scheduledAt',
  'trigger',
  'run',
]) {
  /** @example null */
  @ApiProperty({ type: String, nullable: true })
  id: null;

  /** @example null */
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  monitorId: null;

  /** @example null */
  @ApiProperty({ type: 'integer', nullable: true })
  monitorRevision: null;

  /** @example null */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  scheduledAt: null;

  /** @example "manual" */
  trigger: CheckTrigger;
}

/** A page of checks. */
export class CheckPageDto {
  data: CheckDto[];
  /** @example null */
  nextCursor: string | null;
}

/** A requested check. Until it has finished, all fields of its result are null. */
export class RequestedCheckDto extends OmitType(CheckDto, [
  'monitorRevision',
  'checkedAt',
  'status',
  'timings',
  'failedAssertions',
]) {
  /** @example null */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  monitorRevision: number | null;

  /**
   * When the check started; null until it has finished.
   * @example null
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  checkedAt: string | null;

  /**
   * The outcome of the check; null until it has finished.
   * @example null
   */
  @ApiProperty({ enum: [...RESULT_STATUSES, null] })
  status: ResultStatus | null;

  @ApiProperty({ example: null })
  timings: TimingsDto | null;

  /** @example null */
  @ApiProperty({ type: [FailedAssertionDto], nullable: true })
  failedAssertions: FailedAssertionDto[] | null;
}

export class ListChecksQuery extends CursorQueryDto {
  @PageLimit(MAX_CHECKS)
  limit: number = DEFAULT_PAGE_SIZE;

  @QueryTime('Only checks that started at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only checks that started before this time.', '2026-02-01T00:00:00.000Z')
  to?: string;

  @ApiPropertyOptional({ description: 'Only checks with this status.', enum: RESULT_STATUSES, example: 'down' })
  @IsOptional()
  @IsIn(RESULT_STATUSES)
  status?: ResultStatus;

  @QueryLocation('Only checks from this location.')
  location?: string;

  @ApiPropertyOptional({ description: 'Only checks with this trigger.', enum: CHECK_TRIGGERS, example: 'schedule' })
  @IsOptional()
  @IsIn(CHECK_TRIGGERS)
  trigger?: CheckTrigger;
}

export class RequestCheckQuery {
  @QueryBoolean('Whether to wait for the result, at most for the timeout of the monitor plus 5 seconds.')
  wait?: boolean;

  @QueryLocation(
    'The location to check from. Defaults to the first location of the monitor at which a worker responds.',
  )
  location?: string;
}
