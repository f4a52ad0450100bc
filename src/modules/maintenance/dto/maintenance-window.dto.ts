import { ApiProperty, OmitType } from '@nestjs/swagger';

/** A maintenance window. While it is active, its monitors are in maintenance. */
export class MaintenanceWindowDto {
  /** @example "0198c9a4-b4d2-7a10-9c7e-6f5e4d3c2b1a" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Increases with each write by a caller.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /** @example "deploy-42" */
  key: string | null;

  /** @example "Database upgrade" */
  name: string;

  /** @example "Short interruptions are likely." */
  description: string | null;

  /**
   * The monitors that are listed, in the order in which they were sent. A deleted monitor is removed from the list.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: [String], format: 'uuid' })
  monitorIds: string[];

  /** A tag selects every monitor that currently has it. @example ["payments"] */
  tags: string[];

  /**
   * When the first occurrence begins. Null if the window has no schedule and is active only when it is started
   * manually.
   * @example "2030-01-06T01:30:00.000Z"
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  startsAt: string | null;

  /** When the first occurrence ends. Null if the window has no schedule. @example "2030-01-06T03:30:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endsAt: string | null;

  /** IANA time zone of the schedule. @example "Europe/Berlin" */
  timezone: string;

  /** Recurrence rule of RFC 5545. Null if the window does not recur. @example "FREQ=MONTHLY;BYDAY=1SU" */
  rrule: string | null;

  /** Whether status pages may announce the window. @example true */
  public: boolean;

  /** Whether subscribers of status pages are informed. @example true */
  notifySubscribers: boolean;

  /** Whether the window is active now, by its schedule or because it was started manually. @example false */
  active: boolean;

  /**
   * When the window ends, if it is active: by its schedule, or after the duration of its manual start. Null if it is not
   * active.
   * @example null
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  activeUntil: string | null;

  /** When the next occurrence begins. Null if there is none within 400 years. @example "2030-01-06T01:30:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextStartsAt: string | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When a caller last changed the window. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'active',
  'activeUntil',
  'nextStartsAt',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof MaintenanceWindowDto)[];

/** Only the writable fields, as PUT accepts them. */
export class MaintenanceWindowDefinitionDto extends OmitType(MaintenanceWindowDto, [
  ...READ_ONLY_FIELDS,
  'monitorIds',
]) {
  /**
   * The monitors that are listed: `key:<key>` if the monitor has a key, else its id.
   * @example ["key:checkout-api"]
   */
  monitorIds: string[];
}

export class MaintenanceWindowPageDto {
  data: MaintenanceWindowDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

export class MaintenanceWindowDefinitionPageDto {
  data: MaintenanceWindowDefinitionDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}
