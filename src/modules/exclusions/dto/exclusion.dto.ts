import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString, Length, Matches } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean, QueryTime } from '../../../http/lists/query.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { MonitorSelectionDto } from '../../monitors/dto/monitor-selection.dto.js';

/** Maximum length of an exclusion. */
export const MAX_EXCLUSION_DAYS = 366;

/**
 * Time to exclude from the uptime of monitors. Tags select the monitors that have them now; a monitor that receives a
 * tag later is not affected.
 */
export class CreateExclusionDto extends MonitorSelectionDto {
  /**
   * Start of the excluded time, inclusive. At most 366 days before `to`.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @IsDefined()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  from: string;

  /**
   * End of the excluded time, exclusive. Must not be in the future.
   * @example "2026-01-01T12:30:00.000Z"
   */
  @IsDefined()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  to: string;

  /**
   * Why the time is excluded, for readers of the figures: 1 to 2,000 characters.
   * @example "Our own load test"
   */
  @IsDefined()
  @IsString()
  @Length(1, 2_000)
  reason: string;
}

/** Time that is excluded from the uptime of monitors, with author and reason. */
export class ExclusionDto {
  /** @example "0198c9a4-9b20-7d43-a5c2-1d2e3f405162" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * The monitors that were listed, including those that have since been deleted.
   * @example ["0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"]
   */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  monitorIds: string[];

  /**
   * The tags that were listed. They select the monitors that had any of them at `createdAt`.
   * @example ["payments"]
   */
  tags: string[];

  /** Start of the excluded time, inclusive. @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  from: string;

  /** End of the excluded time, exclusive. @example "2026-01-01T12:30:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  to: string;

  /** @example "Our own load test" */
  reason: string;

  /** @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  createdBy: string;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** When the exclusion was deleted, so that its time counts again. Null if it is in effect. @example null */
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

/** Filters of the list of exclusions. An exclusion must match all of them. */
export class ListExclusionsQuery extends PageQueryDto {
  @ApiPropertyOptional({
    description:
      'Only exclusions that affect this monitor, directly or by a tag: ' +
      'its id, which may be that of a deleted monitor, or `key:<key>`.',
    example: 'key:checkout-api',
  })
  @IsOptional()
  @Matches(/^(key:.+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, {
    message: '$property must be an id or key:<key>',
  })
  monitorId?: string;

  @QueryTime('Only exclusions that exclude time at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only exclusions that exclude time before this time.', '2026-02-01T00:00:00.000Z')
  to?: string;

  @QueryBoolean('`true` lists deleted exclusions; `false`, the default, lists those in effect.')
  deleted?: boolean;
}
