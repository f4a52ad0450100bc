import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { QueryBoolean, QueryInt } from '../../../http/lists/query.decorators.js';

export const UPTIME_METHOD = 'confirmed-seconds/1';
export const ABSENCE_REASONS = ['not_running'] as const;
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

/** When the service itself checked nothing. */
export class AbsenceDto {
  /** @example "2026-01-01T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** @example "2026-01-01T03:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /**
   * `not_running`: no process of the service was there to send checks out, as it was stopped, killed or frozen.
   * @example "not_running"
   */
  @ApiProperty({ enum: ABSENCE_REASONS })
  reason: (typeof ABSENCE_REASONS)[number];
}

/** How faithfully the schedule of a day was kept. */
export class DayFidelityDto {
  /**
   * Slots of the monitor's schedule on this day, each location counted: as the interval was then, without pauses, and
   * only where the check should have been recorded by now, `timeoutMs` and 5 seconds after the slot, or was. Slots within
   * a quarter of a second of a creation, pause, resumption or change of the schedule are expected of nobody.
   * @example 1440
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksExpected: number;

  /**
   * Checks that were made for these slots; the same as `checksTotal`.
   * @example 1435
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksExecuted: number;

  /**
   * Of these, those that started more than a second after their slot.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksLate: number;

  /**
   * `checksExpected` less `checksExecuted`.
   * @example 5
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksMissed: number;

  /** When the service itself checked nothing, oldest first, cut to the part of the day in which the monitor existed. */
  absences: AbsenceDto[];
}

/** One UTC day. With `fidelity=true` it also tells how faithfully its schedule was kept. */
export class UptimeDayDto extends IntersectionType(SecondsByKindDto, PartialType(DayFidelityDto)) {
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

/** A window of two dates. */
export class WindowQuery {
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

  @QueryBoolean('`true`: as if there were no exclusions.')
  raw?: boolean;
}

/** The window: a number of days up to today, or two dates. */
export class UptimeQuery extends WindowQuery {
  @QueryInt({ min: 1, max: 365, description: 'Days up to today. Default 90.', example: 30 })
  days?: number;

  @QueryBoolean('`true`: tells of each day how faithfully the schedule was kept, too.')
  fidelity?: boolean;
}
