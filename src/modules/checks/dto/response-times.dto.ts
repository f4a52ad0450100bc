import { ApiProperty } from '@nestjs/swagger';
import { QueryInt, QueryTime } from '../../../http/lists/query.decorators.js';
import { QueryLocation } from '../../locations/query-location.decorator.js';
import { TimingsDto } from './check.dto.js';

const MAX_POINTS = 1_000;
const DEFAULT_POINTS = 240;

/** Response times in a part of the period. */
export class ResponseTimesBucketDto {
  /**
   * The start of the bucket.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /**
   * Number of checks from which the figures are computed.
   * @example 6
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checkCount: number;

  /**
   * Median of the response times, in milliseconds. Null without checks.
   * @example 84.3
   */
  p50ResponseTimeMs: number | null;

  /**
   * 95th percentile of the response times, in milliseconds, interpolated between the two nearest ones.
   * @example 131.2
   */
  p95ResponseTimeMs: number | null;

  /** Mean duration of each phase, over the checks that have it. Null without such a check. */
  timings: TimingsDto;
}

/**
 * Response times of the passing checks at slots, or of the runs that a job reported. Retries and checks outside the
 * schedule do not count.
 */
export class ResponseTimesDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** @example "2026-01-02T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /**
   * Length of the buckets: the smallest multiple of the monitor's interval (of a minute, if it waits for reports) that
   * divides the period into at most `points` buckets.
   * @example 360
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  bucketSeconds: number;

  /** Contiguous, oldest first, including those without checks. The first begins at `from`, the last ends at `to`. */
  buckets: ResponseTimesBucketDto[];
}

export class ResponseTimesQuery {
  @QueryTime(
    'Only checks whose slot is at or after this time. Defaults to 24 hours before `to`.',
    '2026-01-01T00:00:00.000Z',
  )
  from?: string;

  @QueryTime('Only checks whose slot is before this time. Defaults to the current time.', '2026-02-01T00:00:00.000Z')
  to?: string;

  @QueryInt({ min: 1, max: MAX_POINTS, default: DEFAULT_POINTS, description: 'Maximum number of buckets.' })
  points: number = DEFAULT_POINTS;

  @QueryLocation('Only checks from this location.')
  location?: string;
}
