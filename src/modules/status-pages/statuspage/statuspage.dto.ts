import { ApiProperty, PickType } from '@nestjs/swagger';

/*
 * The JSON that Atlassian Statuspage serves at `/api/v2`, with its names, as
 * https://metastatuspage.com/api documents it. Times are RFC 3339.
 */

export const INDICATORS = ['none', 'minor', 'major', 'critical'] as const;
export type Indicator = (typeof INDICATORS)[number];

export const COMPONENT_STATUSES = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const;
export type StatuspageIncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'completed'] as const;
export type StatuspageMaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];

export const IMPACTS = ['none', 'minor', 'major', 'maintenance'] as const;

/** The page. */
export class StatuspagePageDto {
  /** @example "1f2c0a1e-54d1-5f3a-9a55-0c9f2f6f7b10" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Example status" */
  name: string;

  /** @example "https://status.example.com/status/example" */
  @ApiProperty({ format: 'uri' })
  url: string;

  /** IANA time zone. @example "Europe/Berlin" */
  time_zone: string;

  /** When the page last changed, other than in its figures. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

/** The overall state. */
export class StatuspageStatusDto {
  /**
   * `minor` while a component is degraded, `major` while one is down, `critical` while all are down, otherwise `none`.
   * @example "none"
   */
  @ApiProperty({ enum: INDICATORS })
  indicator: Indicator;

  /** @example "All Systems Operational" */
  description: string;
}

/** A component, or a group of components. */
export class StatuspageComponentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Checkout" */
  name: string;

  /**
   * The state; that of a group is the worst of its components. The format has no unknown state: a component that is
   * paused or has no data is `operational`, in the sense that no problem is known.
   * @example "operational"
   */
  @ApiProperty({ enum: COMPONENT_STATUSES })
  status: ComponentStatus;

  /** When the page was created. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** When the current state began. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  /** @example 1 */
  @ApiProperty({ type: 'integer', minimum: 1 })
  position: number;

  /** @example "Carts and payments" */
  description: string | null;

  /** Whether the page shows the uptime. @example true */
  showcase: boolean;

  /** Always null. @example null */
  @ApiProperty({ type: String, nullable: true })
  start_date: null;

  /** The group of the component. @example null */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  group_id: string | null;

  /** @example "1f2c0a1e-54d1-5f3a-9a55-0c9f2f6f7b10" */
  @ApiProperty({ format: 'uuid' })
  page_id: string;

  /** Whether it is a group. @example false */
  group: boolean;

  /** @example false */
  only_show_if_degraded: boolean;

  /** The ids of the components of a group; only groups have it. @example ["0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"] */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' }, required: false })
  components?: string[];
}

/** An update of an incident or of scheduled maintenance. */
export class StatuspageUpdateDto {
  /** @example "2a0e6a0c-9d5c-5c7b-8f10-6b1f0c3e2d44" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** The status that the update set. @example "identified" */
  @ApiProperty({ enum: [...INCIDENT_STATUSES, ...MAINTENANCE_STATUSES] })
  status: StatuspageIncidentStatus | StatuspageMaintenanceStatus;

  /** @example "A faulty release; we are rolling back." */
  body: string;

  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uuid' })
  incident_id: string;

  /** @example "2026-01-01T12:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** @example "2026-01-01T12:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  /** @example "2026-01-01T12:05:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  display_at: string;

  /** Always null. */
  @ApiProperty({ type: 'array', items: { type: 'object' }, nullable: true })
  affected_components: null;

  /** Always false. @example false */
  deliver_notifications: boolean;

  /** Always null. @example null */
  @ApiProperty({ type: String, nullable: true })
  custom_tweet: null;

  /** Always null. @example null */
  @ApiProperty({ type: String, nullable: true })
  tweet_id: null;
}

/** An incident. */
export class StatuspageIncidentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Checkout was down" */
  name: string;

  /** @example "resolved" */
  @ApiProperty({ enum: INCIDENT_STATUSES })
  status: StatuspageIncidentStatus;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** @example "2026-01-01T12:08:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  /** When the latest update with the status `monitoring` was posted. @example null */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  monitoring_at: string | null;

  /** @example "2026-01-01T12:08:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  resolved_at: string | null;

  /** `major` for an outage, `minor` for a degradation. @example "major" */
  @ApiProperty({ enum: IMPACTS })
  impact: (typeof IMPACTS)[number];

  /** The page of the incident. @example "https://status.example.com/status/example/incidents/0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01" */
  @ApiProperty({ format: 'uri' })
  shortlink: string;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  started_at: string;

  /** @example "1f2c0a1e-54d1-5f3a-9a55-0c9f2f6f7b10" */
  @ApiProperty({ format: 'uuid' })
  page_id: string;

  /** Newest first, at least one. An incident without updates has one that repeats its title. */
  incident_updates: StatuspageUpdateDto[];

  /** The affected components. */
  components: StatuspageComponentDto[];
}

/** Scheduled maintenance: one period of a maintenance window. */
export class StatuspageMaintenanceDto extends PickType(StatuspageIncidentDto, [
  'id',
  'name',
  'created_at',
  'updated_at',
  'monitoring_at',
  'resolved_at',
  'impact',
  'shortlink',
  'started_at',
  'page_id',
  'incident_updates',
  'components',
]) {
  /** @example "scheduled" */
  @ApiProperty({ enum: MAINTENANCE_STATUSES })
  status: StatuspageMaintenanceStatus;

  /** @example "2026-01-03T02:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  scheduled_for: string;

  /** @example "2026-01-03T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  scheduled_until: string;
}
