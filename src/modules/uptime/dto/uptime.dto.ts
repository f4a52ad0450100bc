import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { QueryInt } from '../../../http/query.decorators.js';

export const UPTIME_METHOD = 'confirmed-seconds/1';
export const DAY_STATUSES = ['up', 'degraded', 'down', 'maintenance', 'paused', 'excluded', 'unknown'] as const;

/** Time by kind, in seconds with 3 decimals. The seven add up to the elapsed time, always. */
export class SecondsByKindDto {
  /** @example 86100 */
  upSeconds: number;
  /** @example 0 */
  degradedSeconds: number;
  /** @example 300 */
  downSeconds: number;
  /** @example 0 */
  maintenanceSeconds: number;
  /** @example 0 */
  pausedSeconds: number;
  /** @example 0 */
  excludedSeconds: number;
  /** Before creation, not confirmed yet, without data, or the service itself was away. @example 0 */
  unknownSeconds: number;
}

/** One UTC day. */
export class UptimeDayDto extends SecondsByKindDto {
  /** @example "2026-01-01" */
  @ApiProperty({ format: 'date' })
  date: string;

  /**
   * The worst kind with time in the day.
   * @example "down"
   */
  @ApiProperty({ enum: DAY_STATUSES })
  status: (typeof DAY_STATUSES)[number];

  /**
   * Percent of the monitored time in which the monitor was not down, cut to 3 decimals; null where nothing was monitored.
   * @example 99.652
   */
  uptimePercent: number | null;

  /**
   * Checks at their slots; retries and checks off the schedule do not count.
   * @example 1440
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksTotal: number;

  /** @example 5 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksFailed: number;

  /**
   * Outages with time in the day.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;

  /**
   * Mean response time of the passing checks, in milliseconds; null where there were none.
   * @example 84.3
   */
  avgResponseTimeMs: number | null;

  /**
   * 95th percentile of the same, in milliseconds, from a histogram: at most 5 % off.
   * @example 131.2
   */
  p95ResponseTimeMs: number | null;

  /**
   * Whether no late result can change the day any more: 48 hours after its end.
   * @example true
   */
  final: boolean;
}

/** Sums over the whole window. */
export class UptimeTotalsDto extends SecondsByKindDto {
  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;
  /** @example 300 */
  longestOutageSeconds: number;
}

/** Uptime by day, in time of confirmed state. */
export class UptimeDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /**
   * How the figures are computed.
   * @example "confirmed-seconds/1"
   */
  method: string;

  /** @example "2026-01-01T00:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** @example "2026-01-02T00:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /** @example "UTC" */
  timezone: string;

  /** @example "2026-01-05T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  computedAt: string;

  /** @example 99.652 */
  uptimePercent: number | null;

  /**
   * Percent of the elapsed time that was monitored, cut to 3 decimals.
   * @example 100
   */
  coveragePercent: number | null;

  totals: UptimeTotalsDto;

  /** Oldest first; the last one is today unless `to` says otherwise. */
  days: UptimeDayDto[];
}

/** The window: a number of days up to today, or two dates. */
export class UptimeQuery {
  @QueryInt({ min: 1, max: 365, description: 'Days up to today. Default 90.', example: 30 })
  days?: number;

  @ApiPropertyOptional({
    description: 'First UTC day, such as 2026-01-01; at most 365 days before `to`.',
    format: 'date',
    example: '2026-01-01',
  })
  @IsOptional()
  @Matches(/^(19|[2-8]\d)\d\d-\d\d-\d\d$/, { message: 'wants a date such as 2026-01-01' })
  from?: string;

  @ApiPropertyOptional({
    description: 'Last UTC day, included. Default today.',
    format: 'date',
    example: '2026-01-31',
  })
  @IsOptional()
  @Matches(/^(19|[2-8]\d)\d\d-\d\d-\d\d$/, { message: 'wants a date such as 2026-01-31' })
  to?: string;
}
