import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** `?view=definition` of reads of what a PUT can write. */
export function ViewParameter(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: 'The writable fields alone, as a PUT takes them back.',
      enum: ['definition'],
      example: 'definition',
    }),
    IsOptional(),
    IsIn(['definition']),
  );
}

/** The query of one item. */
export class ItemQueryDto {
  @ViewParameter()
  view?: 'definition';
}
