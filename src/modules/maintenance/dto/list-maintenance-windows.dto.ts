import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/page.js';
import { QueryBoolean, QueryList } from '../../../http/query.decorators.js';
import { ViewParameter } from '../../../http/view.query.js';

/** Filters of the list of maintenance windows; all of them must hold. */
export class ListMaintenanceWindowsDto extends PageQueryDto {
  /** With this key. @example "deploy-42" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  @QueryBoolean('Those that take place now, or those that do not.')
  active?: boolean;

  /** That mean this monitor now, by name or by one of its tags: its id, or `key:<key>`. @example "key:checkout-api" */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  monitorId?: string;

  @QueryList({ description: 'That select monitors by this tag. Repeatable: all must match.', example: ['payments'] })
  @IsString({ each: true })
  @MaxLength(50, { each: true })
  tag?: string[];

  @ViewParameter()
  view?: 'definition';
}
