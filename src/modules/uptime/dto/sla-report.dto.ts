import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { QueryList } from '../../../http/lists/query.decorators.js';
import { ReportPeriodDto, WindowQuery } from './uptime.dto.js';

/** Maximum number of monitors in a report. */
export const MAX_REPORT_MONITORS = 1_000;

/**
 * Figures of a period, measured against a target. *Monitored* time is time that was up, degraded or down. Time that was
 * paused, in maintenance, excluded or unknown does not count.
 */
export class SlaFiguresDto {
  /**
   * (up + degraded) / monitored, in percent, truncated to 3 decimals. Null if no time was monitored.
   * @example 99.952
   */
  uptimePercent: number | null;

  /**
   * monitored / elapsed, in percent, truncated to 3 decimals. Null if no time has elapsed.
   * @example 100
   */
  coveragePercent: number | null;

  /** up + degraded + down. @example 2592000 */
  monitoredSeconds: number;

  /** @example 1240.5 */
  downSeconds: number;

  /** Number of outages that overlap the period. @example 2 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  incidentCount: number;

  /** Mean time to recovery: down / incidents. Null without incidents. @example 620.25 */
  mttrSeconds: number | null;

  /** Mean time between failures: (up + degraded) / incidents. Null without incidents. @example 1295379.75 */
  mtbfSeconds: number | null;

  /**
   * (1 − target / 100) × (period − elapsed time that was not monitored), truncated to milliseconds. The part of the
   * period that is still in the future counts.
   * @example 2592
   */
  errorBudgetSeconds: number;

  /** The same as `downSeconds`. @example 1240.5 */
  errorBudgetConsumedSeconds: number;

  /** errorBudgetSeconds − errorBudgetConsumedSeconds. Negative if the budget is exceeded. @example 1351.5 */
  errorBudgetRemainingSeconds: number;

  /**
   * (down / monitored) / (1 − target / 100), rounded up to 4 decimals. At 1, the budget is consumed exactly as fast as
   * it accrues. Null if no time was monitored.
   * @example 0.4786
   */
  burnRate: number | null;

  /**
   * Whether the uptime, before truncation, is at least the target. Null if no time was monitored.
   * @example true
   */
  met: boolean | null;
}

/** A monitor in a report. */
export class SlaMonitorDto extends SlaFiguresDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "checkout-api" */
  key: string | null;

  /** @example "Checkout API" */
  name: string;
}

/** The total of all monitors of a report, computed from the sums of their times. */
export class SlaTotalDto extends SlaFiguresDto {
  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  monitorCount: number;
}

/** Uptime of monitors against a target, over a period of whole UTC days. */
export class SlaReportDto extends ReportPeriodDto {
  /**
   * How uptime is computed.
   * @example "confirmed-seconds/1"
   */
  method: string;

  /** @example 99.9 */
  targetPercent: number;

  /** Whether exclusions were ignored. @example false */
  raw: boolean;

  /** Ordered by name. */
  monitors: SlaMonitorDto[];

  total: SlaTotalDto;
}

/** The period, the target and the monitors of a report. A monitor must match all filters. */
export class SlaReportQuery extends WindowQuery {
  @QueryList({
    description:
      'Only this monitor, by id or `key:<key>`. Repeat it to include several. ' +
      'Default: all monitors of the team. A report contains at most 1,000 monitors.',
    maxItems: MAX_REPORT_MONITORS,
    example: ['key:checkout-api'],
  })
  @IsString({ each: true })
  @MaxLength(200, { each: true })
  monitorId?: string[];

  @QueryList({
    description: 'Only monitors with this tag. Repeat it to require several tags.',
    example: ['production'],
  })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiPropertyOptional({
    description: 'The uptime target in percent: greater than 0, less than 100, at most 4 decimals.',
    type: String,
    pattern: '^\\d{1,2}(\\.\\d{1,4})?$',
    default: '99.9',
    example: '99.95',
  })
  @IsOptional()
  @Matches(/^\d{1,2}(\.\d{1,4})?$/, { message: '$property must be a percentage below 100 with at most 4 decimals' })
  target?: string;
}
