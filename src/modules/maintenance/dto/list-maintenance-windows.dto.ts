import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean, QueryList } from '../../../http/lists/query.decorators.js';
import { ViewParameter } from '../../../http/lists/view.query.js';

export const WINDOW_STATES = ['active', 'upcoming', 'over'] as const;
export type WindowState = (typeof WINDOW_STATES)[number];

/** Filters of the list of maintenance windows; all of them must hold. */
export class ListMaintenanceWindowsDto extends PageQueryDto {
  /** With this key. @example "deploy-42" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @QueryBoolean('Those that take place now, or those that do not.')
  active?: boolean;

  @ApiPropertyOptional({
    description:
      '`active`: those that take place now. `upcoming`: those that do not, but will by their schedule. `over`: the others, which take place no more, or only when somebody starts them.',
    enum: WINDOW_STATES,
    example: 'upcoming',
  })
  @IsOptional()
  @IsIn(WINDOW_STATES)
  state?: WindowState;

  /** That mean this monitor now, by name or by one of its tags: its id, or `key:<key>`. @example "key:checkout-api" */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryList({ description: 'That select monitors by this tag. Repeatable: all must match.', example: ['payments'] })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
