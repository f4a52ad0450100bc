import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean, QueryList } from '../../../http/lists/query.decorators.js';
import { ViewParameter } from '../../../http/lists/view.query.js';

export const WINDOW_STATES = ['active', 'upcoming', 'over'] as const;
export type WindowState = (typeof WINDOW_STATES)[number];

/** Filters of the list of maintenance windows. A window must match all of them. */
export class ListMaintenanceWindowsDto extends PageQueryDto {
  /** Only the window with this key. @example "deploy-42" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @QueryBoolean('`true` lists windows that are active now, `false` lists all others.')
  active?: boolean;

  @ApiPropertyOptional({
    description:
      '`active`: only windows that are active now. `upcoming`: only inactive windows with a future occurrence. ' +
      '`over`: only inactive windows without one, which can be active again only if they are started manually.',
    enum: WINDOW_STATES,
    example: 'upcoming',
  })
  @IsOptional()
  @IsIn(WINDOW_STATES)
  state?: WindowState;

  /**
   * Only windows that currently select this monitor, directly or by one of its tags: its id, or `key:<key>`.
   * @example "key:checkout-api"
   */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryList({
    description: 'Only windows that select monitors by this tag. Repeat it to require several tags.',
    example: ['payments'],
  })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
