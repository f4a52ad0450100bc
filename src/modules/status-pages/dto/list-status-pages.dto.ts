import { ApiHideProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { ViewParameter } from '../../../http/lists/view.query.js';

/** Filters of the list of status pages. A page must match all of them. */
export class ListStatusPagesDto extends PageQueryDto {
  /** Only the page with this key. @example "example" */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  key?: string;

  /** Only the page with this slug. @example "example" */
  @IsOptional()
  @IsString()
  @MaxLength(63)
  slug?: string;

  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
