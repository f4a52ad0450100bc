import { ApiProperty } from '@nestjs/swagger';
import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { DAY_STATUSES, SecondsByKindDto } from '../../uptime/dto/uptime.dto.js';
import { PublicIncidentDto } from './public-incident.dto.js';
import { PublicMaintenanceDto } from './public-maintenance.dto.js';
import { PAGE_STATUSES, type PageStatus } from '../page-status.js';

/** One UTC day of a component. */
export class PublicDayDto extends SecondsByKindDto {
  /** @example "2026-01-01" */
  @ApiProperty({ format: 'date' })
  date: string;

  /**
   * The worst state during the day.
   * @example "down"
   */
  @ApiProperty({ enum: DAY_STATUSES })
  status: (typeof DAY_STATUSES)[number];

  /**
   * Percentage of the monitored time in which the component was not down, truncated to 3 decimals. Null if nothing was
   * monitored.
   * @example 99.652
   */
  uptimePercent: number | null;

  /**
   * Number of outages that overlap the day.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  incidentCount: number;
}

export const LOCATION_STATUSES = ['up', 'degraded', 'down', 'unknown'] as const;

/** The state of a component at one location from which it is checked. */
export class PublicLocationDto {
  /** @example "Amsterdam" */
  name: string;

  /** `unknown` without recent results that count. @example "up" */
  @ApiProperty({ enum: LOCATION_STATUSES })
  status: (typeof LOCATION_STATUSES)[number];
}

/** The public part of a component: the state and figures of its monitor, but no other data. */
export class PublicComponentDto {
  /**
   * The id of the component, not of its monitor.
   * @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"
   */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Checkout" */
  name: string;

  /** @example "Carts and payments" */
  description: string | null;

  /** @example "Shop" */
  group: string | null;

  /**
   * The confirmed state.
   * @example "up"
   */
  @ApiProperty({ enum: MONITOR_STATUSES })
  status: MonitorStatus;

  /** When the current state began. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  since: string;

  /**
   * Uptime in percent over the `historyDays` of the page. Null if nothing was monitored or the page does not show it.
   * @example 99.982
   */
  uptimePercent: number | null;

  /**
   * Percentage of the elapsed time that was monitored. Null if the page does not show it.
   * @example 100
   */
  coveragePercent: number | null;

  /**
   * Monitored time in seconds, over which `uptimePercent` is measured. Null if the page does not show it.
   * @example 7724160
   */
  observedSeconds: number | null;

  /** UTC days, oldest first, up to today. Null if the page does not show them. */
  @ApiProperty({ type: () => [PublicDayDto], nullable: true })
  days: PublicDayDto[] | null;

  /**
   * Its locations while it is up, degraded or down. Empty if it is checked from a single one or the page does not show
   * locations.
   */
  @ApiProperty({ type: () => [PublicLocationDto] })
  locations: PublicLocationDto[];
}

/** The public content of a status page. */
export class PublicPageDto {
  /** @example "Example status" */
  name: string;

  /** @example "The state of our shop and its services." */
  description: string | null;

  /**
   * The overall state, from the states of the components and the impacts of open manual incidents.
   * @example "operational"
   */
  @ApiProperty({ enum: PAGE_STATUSES })
  status: PageStatus;

  /** When states and figures were computed. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  computedAt: string;

  /** IANA time zone in which the page shows times. @example "Europe/Berlin" */
  timezone: string;

  /** Number of days of history that are shown. @example 90 */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365 })
  historyDays: number;

  /** @example "https://example.com/" */
  homepageUrl: string | null;

  /** Accent colour; null if there is none. @example "#0c8599" */
  @ApiProperty({ type: String, nullable: true, pattern: '^#[0-9a-f]{6}$' })
  accentColor: string | null;

  /** @example "https://example.com/logo.svg" */
  logoUrl: string | null;

  /** Components in the order in which they are shown. */
  components: PublicComponentDto[];

  /** Maintenance that is in progress or begins within 7 days, earliest first, at most 50. */
  maintenance: PublicMaintenanceDto[];

  /**
   * Open incidents and those that were resolved in the past 14 days, by start, newest first. At most 50: first the open
   * incidents that the team created, then other open ones, then resolved ones, in each case the newest.
   */
  incidents: PublicIncidentDto[];
}
