import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, PageLimit } from '../../../http/lists/page.js';
import { QueryList, QueryTime } from '../../../http/lists/query.decorators.js';
import { RESOURCE_TYPES } from '../event.types.js';

/** Filters of events. An event must match all of them. */
export class EventFiltersDto {
  @QueryList({
    maxItems: 20,
    description: 'Only events of these types; `monitor.*` matches all types that begin with `monitor.`. Repeatable.',
    example: ['incident.*'],
  })
  @IsString({ each: true })
  @Matches(/^[a-z_]+(\.[a-z_]+)?(\.?\*)?$/, {
    each: true,
    message: '$property must be an event type or a pattern such as monitor.*',
  })
  type?: string[];

  @ApiPropertyOptional({
    description: 'Only events about resources of this type.',
    enum: RESOURCE_TYPES,
    example: 'monitor',
  })
  @IsOptional()
  @IsIn(RESOURCE_TYPES)
  resourceType?: string;

  @ApiPropertyOptional({
    description: 'Only events about the resource with this id, which may have been deleted.',
    example: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c56',
  })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  resourceId?: string;

  @ApiPropertyOptional({
    description: 'Only events that the API key or the person with this id caused.',
    format: 'uuid',
    example: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55',
  })
  @IsOptional()
  @IsUUID('all')
  actorId?: string;
}

/** The query of the list of events. */
export class ListEventsDto extends EventFiltersDto {
  @IsOptional()
  @IsString()
  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page.', example: 'eyJwIjoxfQ.c2lnbmVk' })
  cursor?: string;

  @PageLimit(MAX_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;

  @QueryTime('Only events at or after this time.', '2026-01-01T00:00:00.000Z')
  from?: string;

  @QueryTime('Only events before this time.', '2026-02-01T00:00:00.000Z')
  to?: string;

  @ApiPropertyOptional({
    description:
      'The id of an event: returns the events that follow it, oldest first. To miss nothing, continue from the last ' +
      'event that you have processed: events are not ordered by id or by time.',
    format: 'uuid',
    example: '0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01',
  })
  @IsOptional()
  @IsUUID('all')
  after?: string;
}
