import { ApiProperty, OmitType } from '@nestjs/swagger';
import { PAGE_STATUSES, type PageStatus } from '../page-status.js';
import { ACCESS_TYPES, type AccessType, type Theme, THEMES } from './create-status-page.dto.js';

/** A component of a status page: a monitor as the page shows it. */
export class ComponentDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  monitorId: string;

  /** @example "Checkout" */
  name: string;

  /** @example "Carts and payments" */
  description: string | null;

  /** @example "Shop" */
  group: string | null;

  /** Whether the page shows its daily history and uptime. @example true */
  showUptime: boolean;
}

/** A status page, as its team sees it. */
export class StatusPageDto {
  /** @example "0198c9a4-8b10-7d43-a5c2-1d2e3f405162" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Increases with each write by a caller.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "example" */
  key: string | null;

  /** @example "Example status" */
  name: string;

  /** @example "example" */
  slug: string;

  /** Host name that serves the page at its root; null if there is none. @example "status.example.com" */
  customDomain: string | null;

  /** @example "The state of our shop and its services." */
  description: string | null;

  /** Whether the page is publicly available. @example true */
  published: boolean;

  /**
   * Public URL of the page.
   * @example "https://status.example.com/status/example"
   */
  @ApiProperty({ format: 'uri' })
  publicUrl: string;

  /** @example "public" */
  @ApiProperty({ enum: ACCESS_TYPES })
  accessType: AccessType;

  /** IANA time zone in which times are shown. @example "Europe/Berlin" */
  timezone: string;

  /** Number of days of history that are shown. @example 90 */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365 })
  historyDays: number;

  /** @example "auto" */
  @ApiProperty({ enum: THEMES })
  theme: Theme;

  /** Accent colour of the band, links and focus; null if there is none. @example "#0c8599" */
  @ApiProperty({ type: String, nullable: true, pattern: '^#[0-9a-f]{6}$' })
  accentColor: string | null;

  /** @example "https://example.com/logo.svg" */
  logoUrl: string | null;

  /** @example "https://example.com/" */
  homepageUrl: string | null;

  /** Whether subscribers are informed of detected incidents, and of their end. @example false */
  announceDetected: boolean;

  /** How long a detected incident must last before it is announced. @example 300 */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 86_400 })
  announceAfterSeconds: number;

  /** Whether components show their state at each location. @example false */
  showLocations: boolean;

  /** Components in the order in which they are shown. */
  components: ComponentDto[];

  /**
   * The overall state, from the current statuses of the monitors and the impacts of open manual incidents. Paused and
   * pending monitors do not count. `major_outage` if all are down, `partial_outage` if some are; otherwise `degraded`
   * or `maintenance` if any is; `unknown` if none has data; otherwise `operational`.
   * @example "operational"
   */
  @ApiProperty({ enum: PAGE_STATUSES })
  status: PageStatus;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When a caller last changed the page. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'publicUrl',
  'status',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof StatusPageDto)[];

/** A component among the writable fields, identified by its monitor. */
export class ComponentDefinitionDto extends OmitType(ComponentDto, ['id', 'monitorId']) {
  /**
   * `key:<key>` if the monitor has a key, otherwise its id.
   * @example "key:checkout-api"
   */
  monitorId: string;
}

/** The writable fields, as a PUT accepts them. The password is never returned, and a PUT without one keeps it. */
export class StatusPageDefinitionDto extends OmitType(StatusPageDto, [...READ_ONLY_FIELDS, 'components']) {
  /** Components in the order in which they are shown. */
  components: ComponentDefinitionDto[];
}

export class StatusPagePageDto {
  data: StatusPageDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

export class StatusPageDefinitionPageDto {
  data: StatusPageDefinitionDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
