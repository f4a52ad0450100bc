import { IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryList } from '../../../http/lists/query.decorators.js';
import { ViewParameter } from '../../../http/lists/view.query.js';
import { PROBES } from '../../../probes/index.js';
import { MONITOR_STATUSES, type MonitorStatus } from './monitor.dto.js';

export const MONITOR_SORTS = ['createdAt', '-createdAt', 'name', '-name', 'statusSince', '-statusSince'] as const;
export type MonitorSort = (typeof MONITOR_SORTS)[number];

/** Filters of the list of monitors; all of them must hold. */
export class ListMonitorsQuery extends PageQueryDto {
  @QueryList({
    description: 'One of these statuses. Repeatable.',
    enum: MONITOR_STATUSES,
    example: ['down', 'degraded'],
  })
  @IsIn(MONITOR_STATUSES, { each: true })
  status?: MonitorStatus[];

  @ApiPropertyOptional({ description: 'Of this type.', enum: PROBES.map((probe) => probe.type), example: 'http' })
  @IsOptional()
  @IsIn(PROBES.map((probe) => probe.type))
  type?: string;

  @QueryList({ description: 'With this tag. Repeatable: all must match.', example: ['production'] })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiPropertyOptional({ description: 'With this key.', example: 'checkout-api' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @ApiPropertyOptional({ description: 'Name or target contains this, in any case.', example: 'checkout' })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  q?: string;

  @ApiPropertyOptional({
    description: 'Order; `-` reverses. Rows whose sort value changes meanwhile may repeat or be missed.',
    enum: MONITOR_SORTS,
    default: '-createdAt',
    example: 'name',
  })
  @IsOptional()
  @IsIn(MONITOR_SORTS)
  sort?: MonitorSort;

  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
