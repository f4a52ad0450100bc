import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/**
 * `?view=definition` on reads: the earlier way to get the writable fields, which now have operations of their own. It
 * still works but is not documented, because its response has another type than that of the operation.
 */
export function ViewParameter(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsIn(['definition']));
}

/** The query of a single item. */
export class ItemQueryDto {
  @ApiHideProperty()
  @ViewParameter()
  view?: 'definition';
}
