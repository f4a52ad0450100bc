import { ApiProperty } from '@nestjs/swagger';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';

/** The uptime of several monitors together. */
export class OverviewFiguresDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Percentage of their monitored time in which they were not down, truncated to 3 decimals. Null if no time was monitored.',
    example: 99.953,
  })
  uptimePercent: number | null;

  /** Their total downtime, in seconds. @example 1240.5 */
  downSeconds: number;
}

/** The uptime of the monitors with a tag over the past week. */
export class TagOverviewDto extends OverviewFiguresDto {
  /** @example "production" */
  tag: string;

  /** @example 120 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  monitorCount: number;
}

/** A monitor by name. */
class OverviewMonitorDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "Checkout API" */
  name: string;
}

/** One of the monitors with the longest response times of the past week. */
export class SlowMonitorDto extends OverviewMonitorDto {
  /** Mean response time of its passing checks, in milliseconds. @example 1533.2 */
  responseTimeMs: number;
}

/** One of the monitors with the most outages of the past week. */
export class FlakyMonitorDto extends OverviewMonitorDto {
  /** Its incidents in the past week. @example 4 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  incidentCount: number;

  /** Its downtime, in seconds. @example 1240.5 */
  downSeconds: number;
}

/**
 * Figures of all monitors of the team over the past days. They are up to a minute old if requested regularly, otherwise
 * up to half an hour.
 */
export class RecentFiguresDto {
  /** When these figures were computed. @example "2026-01-07T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  computedAt: string;

  /** The past 24 hours. */
  day: OverviewFiguresDto;

  /** The past seven UTC days, including today. */
  week: OverviewFiguresDto;

  /** The ten tags with the most monitors, over the week. */
  tags: TagOverviewDto[];

  /** At most five monitors, slowest first. */
  slowest: SlowMonitorDto[];

  /** At most five monitors, most incidents first. */
  flakiest: FlakyMonitorDto[];
}

/** The current number of monitors by status. */
export class MonitorCountsDto implements Record<MonitorStatus, number> {
  /** @example 197 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  up: number;

  /** @example 2 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  degraded: number;

  /** @example 9 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  down: number;

  /** @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  unknown: number;

  /** @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  pending: number;

  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  maintenance: number;

  /** @example 3 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  paused: number;
}

/** The state of a team's monitoring at a glance. */
export class OverviewDto {
  monitors: MonitorCountsDto;

  @ApiProperty({
    type: () => RecentFiguresDto,
    nullable: true,
    description: 'Null if the team has more than 10,000 monitors. Use SLA reports by tag instead.',
  })
  recent: RecentFiguresDto | null;
}
