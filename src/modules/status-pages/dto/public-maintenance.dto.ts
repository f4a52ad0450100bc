import { ApiProperty } from '@nestjs/swagger';

/** Maintenance of components that is in progress or announced. */
export class PublicMaintenanceDto {
  /** @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7c01" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "Database upgrade" */
  name: string;

  /** @example "Payments may be delayed." */
  description: string | null;

  /** Whether the maintenance is in progress. @example false */
  active: boolean;

  /** Start of the current period or, if none is in progress, of the next one. @example "2026-01-03T02:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  startsAt: string;

  /** @example "2026-01-03T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  endsAt: string;

  /** When the maintenance was last changed. @example "2026-01-01T09:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  /**
   * The affected components of this page.
   * @example ["0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"]
   */
  @ApiProperty({ type: [String], items: { type: 'string', format: 'uuid' } })
  componentIds: string[];
}
