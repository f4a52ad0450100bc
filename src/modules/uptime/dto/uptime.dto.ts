import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { QueryBoolean, QueryInt } from '../../../http/lists/query.decorators.js';
import { QueryLocation } from '../../locations/query-location.decorator.js';

export const UPTIME_METHOD = 'confirmed-seconds/1';
export const ABSENCE_REASONS = ['not_running', 'disabled'] as const;
export const DAY_STATUSES = ['up', 'degraded', 'down', 'maintenance', 'paused', 'excluded', 'unknown'] as const;

/** Time by kind, in seconds with 3 decimals. The sum of the seven kinds always equals the elapsed time. */
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
  /** Time before creation, not yet confirmed, without data, or in an absence of the service. @example 0 */
  unknownSeconds: number;
}

/** An absence of the service: a period in which it made no checks. */
export class AbsenceDto {
  /** @example "2026-01-01T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** @example "2026-01-01T03:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /**
   * `not_running`: no process of the service was able to start checks, because it was stopped, killed or frozen.
   * `disabled`: the operator had disabled the location.
   * @example "not_running"
   */
  @ApiProperty({ enum: ABSENCE_REASONS })
  reason: (typeof ABSENCE_REASONS)[number];
}

/** How closely the checks of a day followed the schedule. */
export class DayFidelityDto {
  /**
   * Number of slots of the monitor's schedule on this day, over all locations, by the interval at that time. Slots
   * during pauses do not count. A recent slot counts once its check is recorded, and no later than `timeoutMs` plus 5
   * seconds after the slot. Slots within 0.25 seconds of a creation, pause, resumption or change of the schedule do not
   * count unless a check is recorded for them. A monitor that waits for reports has no slots: its reports and missed
   * deadlines count instead, all of them as executed.
   * @example 1440
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksExpected: number;

  /**
   * Number of checks recorded for these slots. Equals `checksTotal`.
   * @example 1435
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksExecuted: number;

  /**
   * Number of these checks that started more than a second after their slot.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksLate: number;

  /**
   * `checksExpected` minus `checksExecuted`.
   * @example 5
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksMissed: number;

  /** Absences of the service, oldest first, limited to the part of the day in which the monitor existed. */
  absences: AbsenceDto[];
}

/** A UTC day. With `fidelity=true`, it also contains how closely the checks followed the schedule. */
export class UptimeDayDto extends IntersectionType(SecondsByKindDto, PartialType(DayFidelityDto)) {
  /** @example "2026-01-01" */
  @ApiProperty({ format: 'date' })
  date: string;

  /**
   * The worst kind of time in the day.
   * @example "down"
   */
  @ApiProperty({ enum: DAY_STATUSES })
  status: (typeof DAY_STATUSES)[number];

  /**
   * Percentage of the monitored time in which the monitor was not down, truncated to 3 decimals. Null if no time was
   * monitored.
   * @example 99.652
   */
  uptimePercent: number | null;

  /**
   * Number of checks at slots. Retries and checks outside the schedule do not count.
   * @example 1440
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksTotal: number;

  /** @example 5 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  checksFailed: number;

  /**
   * Number of outages that overlap the day.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;

  /**
   * Mean response time of the passing checks, in milliseconds. Null if there were none.
   * @example 84.3
   */
  avgResponseTimeMs: number | null;

  /**
   * 95th percentile of the response time of the passing checks, in milliseconds. Computed from a histogram, with an
   * error of at most 5%.
   * @example 131.2
   */
  p95ResponseTimeMs: number | null;

  /**
   * Whether the day is final: from 48 hours after its end, late results no longer change its states, except those that
   * waited for a database that was away for longer.
   * @example true
   */
  final: boolean;
}

/** Totals over the whole window. */
export class UptimeTotalsDto extends SecondsByKindDto {
  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;
  /** @example 300 */
  longestOutageSeconds: number;
}

/** Uptime by day, measured as time in confirmed states. */
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
   * Percentage of the elapsed time that was monitored, truncated to 3 decimals.
   * @example 100
   */
  coveragePercent: number | null;

  totals: UptimeTotalsDto;

  /** Oldest first. The last day is today unless `to` is given. */
  days: UptimeDayDto[];
}

/** The period that a report covers. */
export class ReportPeriodDto {
  /** @example "2026-01-01T00:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** @example "2026-01-31T00:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /** @example "UTC" */
  timezone: string;

  /** @example "2026-02-05T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  computedAt: string;
}

/** A window given by two dates. */
export class WindowQuery {
  @ApiPropertyOptional({
    description: 'First UTC day, such as 2026-01-01. The window has at most 365 days.',
    format: 'date',
    example: '2026-01-01',
  })
  @IsOptional()
  @Matches(/^(19|[2-8]\d)\d\d-\d\d-\d\d$/, { message: '$property must be a date such as 2026-01-01' })
  from?: string;

  @ApiPropertyOptional({
    description: 'Last UTC day, inclusive. Defaults to today.',
    format: 'date',
    example: '2026-01-31',
  })
  @IsOptional()
  @Matches(/^(19|[2-8]\d)\d\d-\d\d-\d\d$/, { message: '$property must be a date such as 2026-01-31' })
  to?: string;

  @QueryBoolean('`true` ignores exclusions.')
  raw?: boolean;
}

/** The window, given by a number of days up to today or by two dates. */
export class UptimeQuery extends WindowQuery {
  @QueryInt({ min: 1, max: 365, description: 'Number of days up to and including today. Default 90.', example: 30 })
  days?: number;

  @QueryBoolean('`true` adds to each day how closely the checks followed the schedule.')
  fidelity?: boolean;

  @QueryLocation('Computes the figures from the results of this location only.')
  location?: string;
}
