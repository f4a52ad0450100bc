import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { CHECK_TRIGGERS, type CheckTrigger, RESULT_STATUSES, type ResultStatus } from '../../../domain/check-result.js';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { CursorQueryDto, DEFAULT_PAGE_SIZE, PageLimit } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';

const MAX_CHECKS = 1_000;

/** Phases of the exchange in milliseconds; null where a phase was not reached or does not apply. */
export class TimingsDto {
  /** @example 12.4 */
  dnsMs: number | null;
  /** @example 20.1 */
  connectMs: number | null;
  /** @example 31.7 */
  tlsMs: number | null;
  /** From the request sent to the first byte of the answer. @example 44.0 */
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

/** An assertion that did not hold. */
export class FailedAssertionDto {
  /**
   * Index into the monitor's `assertions`.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index: number;
  /**
   * What was found; null where showing it would quote the target's body.
   * @example 503
   */
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] })
  actual: string | number | null;
}

/** One finished check. */
export class CheckDto {
  /**
   * Opaque.
   * @example "bWZ1c2o0aTAuMC5kZWZhdWx0"
   */
  id: string;

  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /**
   * Of the definition that was checked.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  monitorRevision: number;

  /**
   * The slot it was made for; for a check off the schedule, when it was asked for.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  scheduledAt: string;

  /**
   * When the probe started.
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
   * 0 for the first check of a slot, 1 and up for re-checks.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attempt: number;

  /**
   * What this one check found; `unknown` where we could not check.
   * @example "up"
   */
  @ApiProperty({ enum: RESULT_STATUSES })
  status: ResultStatus;

  /**
   * HTTP status of the last answer.
   * @example 200
   */
  @ApiProperty({ type: 'integer', minimum: 100, maximum: 999 })
  statusCode: number | null;

  /**
   * Milliseconds of the whole check, redirects included, or of the round trip of a ping; null where no answer came. Time
   * in which the checking thread was late is left out.
   * @example 111.4
   */
  responseTimeMs: number | null;

  /** How long each phase took. */
  timings: TimingsDto;

  /**
   * The address that was connected to.
   * @example "203.0.113.7"
   */
  remoteAddress: string | null;

  /** Why it did not pass. */
  @ApiProperty({ example: null })
  error: CheckErrorDto | null;

  /** The assertions that did not hold. @example [] */
  failedAssertions: FailedAssertionDto[];
}

/** The check of a definition that is not stored. It has no address: what only a stored check has is null. */
export class TrialCheckDto extends OmitType(CheckDto, [
  'id',
  'monitorId',
  'monitorRevision',
  'scheduledAt',
  'trigger',
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

/** A check that was asked for. Until it has finished, all that belongs to its result is null. */
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
   * When the probe started.
   * @example null
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  checkedAt: string | null;

  /**
   * What it found; null until it has finished.
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

  @ApiPropertyOptional({
    description: '`checkedAt` at or after this time.',
    format: 'date-time',
    example: '2026-01-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  from?: string;

  @ApiPropertyOptional({
    description: '`checkedAt` before this time.',
    format: 'date-time',
    example: '2026-02-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  to?: string;

  @ApiPropertyOptional({ description: 'With this outcome.', enum: RESULT_STATUSES, example: 'down' })
  @IsOptional()
  @IsIn(RESULT_STATUSES)
  status?: ResultStatus;

  @ApiPropertyOptional({ description: 'Checked from here.', example: 'default' })
  @IsOptional()
  @IsString()
  @MaxLength(50)
  location?: string;

  @ApiPropertyOptional({ description: 'Made for this reason.', enum: CHECK_TRIGGERS, example: 'schedule' })
  @IsOptional()
  @IsIn(CHECK_TRIGGERS)
  trigger?: CheckTrigger;
}

export class RequestCheckQuery {
  @QueryBoolean('Wait for the result: at most the timeout of the monitor and 5 seconds.')
  wait?: boolean;

  @ApiPropertyOptional({
    description: 'Check from here; the first location of the monitor unless given.',
    example: 'default',
  })
  @IsOptional()
  @IsString()
  @MaxLength(50)
  location?: string;
}
