import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/**
 * `?view=definition` of reads: the earlier way to the writable fields, which have operations of their own. It goes on
 * working, and is not documented: its answers would need another type than those of the operation.
 */
export function ViewParameter(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsIn(['definition']));
}

/** The query of one item. */
export class ItemQueryDto {
  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
