import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString, Length, Matches } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { MonitorSelectionDto } from '../../monitors/dto/monitor-selection.dto.js';

/** The longest time that one exclusion takes out. */
export const MAX_EXCLUSION_DAYS = 366;

/**
 * Time to take out of the uptime of monitors. Tags mean the monitors that have them now: one that gets the tag later is
 * not affected.
 */
export class CreateExclusionDto extends MonitorSelectionDto {
  /**
   * The first moment that is excluded; at most 366 days before `to`.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @IsDefined()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  from: string;

  /**
   * The first moment that counts again; not in the future.
   * @example "2026-01-01T12:30:00.000Z"
   */
  @IsDefined()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  to: string;

  /**
   * Why, for whoever reads the figures: 1 to 2,000 characters.
   * @example "Our own load test"
   */
  @IsDefined()
  @IsString()
  @Length(1, 2_000)
  reason: string;
}

/** Time that was taken out of the uptime of monitors, by whom and why. */
export class ExclusionDto {
  /** @example "0198c9a4-9b20-7d43-a5c2-1d2e3f405162" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * The monitors that were named, also those that were deleted since.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  monitorIds: string[];

  /**
   * The tags that were named. They stand for the monitors that had any of them at `createdAt`.
   * @example ["payments"]
   */
  tags: string[];

  /** The first moment that is excluded. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** The first moment that counts again. @example "2026-01-01T12:30:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /** @example "Our own load test" */
  reason: string;

  /** @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  createdBy: string;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When it was taken back: from then on the time counts again. @example null */
  @ApiProperty({ format: 'date-time' })
  deletedAt: string | null;

  /** @example null */
  deletedBy: string | null;
}

/** Fields that only the service sets. */
export const READ_ONLY_FIELDS = [
  'id',
  'createdBy',
  'createdAt',
  'deletedAt',
  'deletedBy',
] as const satisfies readonly (keyof ExclusionDto)[];

/** A page of exclusions. */
export class ExclusionPageDto {
  data: ExclusionDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Filters of the list of exclusions; all of them must hold. */
export class ListExclusionsQuery extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Affecting this monitor, by name or by tag: its id, also of one that was deleted, or `key:<key>`.',
    example: 'key:checkout-api',
  })
  @IsOptional()
  @Matches(/^(key:.+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, { message: 'wants an id or key:<key>' })
  monitorId?: string;

  @ApiPropertyOptional({
    description: 'Excluding time at or after this moment.',
    format: 'date-time',
    example: '2026-01-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  from?: string;

  @ApiPropertyOptional({
    description: 'Excluding time before this moment.',
    format: 'date-time',
    example: '2026-02-01T00:00:00.000Z',
  })
  @IsOptional()
  @IsTimestamp()
  to?: string;

  @QueryBoolean('`true` lists the deleted ones, otherwise those that hold.')
  deleted?: boolean;
}
