import { ApiProperty, OmitType } from '@nestjs/swagger';

/** A maintenance window: while it takes place, its monitors are in maintenance. */
export class MaintenanceWindowDto {
  /** @example "0198c9a4-b4d2-7a10-9c7e-6f5e4d3c2b1a" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Rises with each write by a caller.
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
   * Monitors that are named, in that order; one that is deleted leaves the list.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: [String], format: 'uuid' })
  monitorIds: string[];

  /** Every monitor that has one of these tags, while it has. @example ["payments"] */
  tags: string[];

  /** When the first occurrence begins; null: it takes place only when started. @example "2030-01-06T01:30:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  startsAt: string | null;

  /** When the first occurrence ends. @example "2030-01-06T03:30:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endsAt: string | null;

  /** IANA time zone in which occurrences keep their wall-clock time. @example "Europe/Berlin" */
  timezone: string;

  /** How it recurs, by RFC 5545. @example "FREQ=MONTHLY;BYDAY=1SU" */
  rrule: string | null;

  /** Whether it may be told to the readers of status pages. @example true */
  public: boolean;

  /** Whether it takes place now, by its schedule or by hand. @example false */
  active: boolean;

  /** When the next occurrence begins; null: none within 400 years. @example "2030-01-06T01:30:00.000Z" */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextStartsAt: string | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When a caller last wrote it. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'active',
  'nextStartsAt',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof MaintenanceWindowDto)[];

/** The writable fields alone, as a PUT takes them back. */
export class MaintenanceWindowDefinitionDto extends OmitType(MaintenanceWindowDto, [
  ...READ_ONLY_FIELDS,
  'monitorIds',
]) {
  /**
   * `key:<key>` where the monitor has a key, else its id.
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
