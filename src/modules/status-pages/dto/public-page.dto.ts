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
   * The worst kind with time in the day.
   * @example "down"
   */
  @ApiProperty({ enum: DAY_STATUSES })
  status: (typeof DAY_STATUSES)[number];

  /**
   * Percent of the monitored time in which it was not down, cut to 3 decimals; null where nothing was monitored.
   * @example 99.652
   */
  uptimePercent: number | null;

  /**
   * Outages with time in the day.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  incidentCount: number;
}

/** A component as everybody may see it: nothing of its monitor but state and figures. */
export class PublicComponentDto {
  /**
   * Of the component, not of its monitor.
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

  /** When the state began. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  since: string;

  /**
   * Over the page's `historyDays`; null where nothing was monitored, or where the page does not show it.
   * @example 99.982
   */
  uptimePercent: number | null;

  /**
   * Percent of the elapsed time that was monitored; null where the page does not show it.
   * @example 100
   */
  coveragePercent: number | null;

  /**
   * The time that was monitored, in seconds: what `uptimePercent` is measured over. Null where the page does not show it.
   * @example 7724160
   */
  observedSeconds: number | null;

  /** UTC days, oldest first, the last one is today; null where the page does not show them. */
  @ApiProperty({ type: () => [PublicDayDto], nullable: true })
  days: PublicDayDto[] | null;
}

/** A status page as everybody may see it. */
export class PublicPageDto {
  /** @example "Example status" */
  name: string;

  /** @example "The state of our shop and its services." */
  description: string | null;

  /**
   * The overall state: what checks know of the components, and what open incidents say of them.
   * @example "operational"
   */
  @ApiProperty({ enum: PAGE_STATUSES })
  status: PageStatus;

  /** When states and figures were computed. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  computedAt: string;

  /** IANA time zone in which the page shows times. @example "Europe/Berlin" */
  timezone: string;

  /** Days of history shown. @example 90 */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365 })
  historyDays: number;

  /** @example "https://example.com/" */
  homepageUrl: string | null;

  /** The page's own colour; null: none. @example "#0c8599" */
  @ApiProperty({ type: String, nullable: true, pattern: '^#[0-9a-f]{6}$' })
  accentColor: string | null;

  /** @example "https://example.com/logo.svg" */
  logoUrl: string | null;

  /** In the order in which they are shown. */
  components: PublicComponentDto[];

  /** Work that is under way, or begins within 7 days; the first to begin first, at most 50. */
  maintenance: PublicMaintenanceDto[];

  /** Open ones, and those that were resolved in the past 14 days; the one that began last first, at most 50. */
  incidents: PublicIncidentDto[];
}
