import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { QueryList } from '../../../http/lists/query.decorators.js';
import { WindowQuery } from './uptime.dto.js';

/** Monitors of one report. */
export const MAX_REPORT_MONITORS = 1_000;

/**
 * Figures of a period against a target. *Monitored* time is up, degraded or down: what was paused, under maintenance,
 * excluded or unknown is left out.
 */
export class SlaFiguresDto {
  /**
   * (up + degraded) / monitored, cut to 3 decimals; null where nothing was monitored.
   * @example 99.952
   */
  uptimePercent: number | null;

  /**
   * monitored / elapsed, cut to 3 decimals; null where nothing has elapsed.
   * @example 100
   */
  coveragePercent: number | null;

  /** up + degraded + down. @example 2592000 */
  monitoredSeconds: number;

  /** @example 1240.5 */
  downSeconds: number;

  /** Outages with time in the period. @example 2 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;

  /** Mean time to recovery: down / incidents; null without incidents. @example 620.25 */
  mttrSeconds: number | null;

  /** Mean time between failures: (up + degraded) / incidents; null without incidents. @example 1295379.75 */
  mtbfSeconds: number | null;

  /**
   * (1 − target / 100) × (period − elapsed time that was not monitored), cut to milliseconds. What lies ahead in the
   * period counts.
   * @example 2592
   */
  errorBudgetSeconds: number;

  /** The same as `downSeconds`. @example 1240.5 */
  errorBudgetConsumedSeconds: number;

  /** errorBudget − consumed; negative where more was consumed than there is. @example 1351.5 */
  errorBudgetRemainingSeconds: number;

  /**
   * (down / monitored) / (1 − target / 100), rounded up to 4 decimals: at 1 the budget is used up as fast as it comes.
   * Null where nothing was monitored.
   * @example 0.4786
   */
  burnRate: number | null;

  /**
   * Whether the uptime of the monitored time, uncut, is at least the target; null where nothing was monitored.
   * @example true
   */
  met: boolean | null;
}

/** One monitor in a report. */
export class SlaMonitorDto extends SlaFiguresDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "checkout-api" */
  key: string | null;

  /** @example "Checkout API" */
  name: string;
}

/** All monitors of a report together: their times added up. */
export class SlaTotalDto extends SlaFiguresDto {
  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  monitorCount: number;
}

/** How monitors stood against a target over a period of whole UTC days. */
export class SlaReportDto {
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

  /**
   * How uptime is computed.
   * @example "confirmed-seconds/1"
   */
  method: string;

  /** @example 99.9 */
  targetPercent: number;

  /** Whether exclusions were left out of account. @example false */
  raw: boolean;

  /** By name. */
  monitors: SlaMonitorDto[];

  total: SlaTotalDto;
}

/** Which monitors, which period and which target. All filters must hold. */
export class SlaReportQuery extends WindowQuery {
  @QueryList({
    description:
      'This monitor, by id or `key:<key>`. Repeatable. Default all of the team; at most 1,000 in one report.',
    maxItems: MAX_REPORT_MONITORS,
    example: ['key:checkout-api'],
  })
  @IsString({ each: true })
  @MaxLength(200, { each: true })
  monitorId?: string[];

  @QueryList({ description: 'With this tag. Repeatable: all must match.', example: ['production'] })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiPropertyOptional({
    description: 'Uptime to reach, in percent: more than 0, less than 100, at most 4 decimals.',
    type: String,
    pattern: '^\\d{1,2}(\\.\\d{1,4})?$',
    default: '99.9',
    example: '99.95',
  })
  @IsOptional()
  @Matches(/^\d{1,2}(\.\d{1,4})?$/, { message: 'wants a percentage below 100 with at most 4 decimals' })
  target?: string;
}
