import { IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean, QueryList } from '../../../http/lists/query.decorators.js';
import { ViewParameter } from '../../../http/lists/view.query.js';
import { PROBES } from '../../../probes/index.js';
import { MONITOR_STATUSES, type MonitorStatus } from './monitor.dto.js';

export const MONITOR_SORTS = [
  'createdAt',
  '-createdAt',
  'name',
  '-name',
  'statusSince',
  '-statusSince',
  'severity',
] as const;
export type MonitorSort = (typeof MONITOR_SORTS)[number];

/** Filters of the list of monitors. A monitor must match all of them. */
export class ListMonitorsQuery extends PageQueryDto {
  @QueryList({
    description: 'Only monitors with this status. Repeat it to match any of several.',
    enum: MONITOR_STATUSES,
    example: ['down', 'degraded'],
  })
  @IsIn(MONITOR_STATUSES, { each: true })
  status?: MonitorStatus[];

  @ApiPropertyOptional({
    description: 'Only monitors of this type.',
    enum: PROBES.map((probe) => probe.type),
    example: 'http',
  })
  @IsOptional()
  @IsIn(PROBES.map((probe) => probe.type))
  type?: string;

  @QueryList({
    description: 'Only monitors with this tag. Repeat it to require several tags.',
    example: ['production'],
  })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiPropertyOptional({ description: 'Only the monitor with this key.', example: 'checkout-api' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @ApiPropertyOptional({
    description: 'Only monitors whose name and target together contain all words of this text, ignoring case.',
    example: 'checkout prod',
  })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  q?: string;

  @QueryBoolean(
    '`false` lists monitors whose outages nobody is notified of, because no enabled policy with an enabled channel applies; `true` lists the others.',
  )
  notified?: boolean;

  @ApiPropertyOptional({
    description:
      'Sort order; `-` sorts in descending order. `severity` puts the worst first: down, with a problem that is being ' +
      'verified, degraded, unknown, pending, maintenance, paused, up; and within each, the longest in that state first. ' +
      'A monitor whose sort value changes between two pages may be repeated or missed.',
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
