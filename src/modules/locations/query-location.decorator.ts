import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** The key of a location as a query parameter. */
export const QueryLocation = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ description, type: 'string', example: 'default' }),
    IsOptional(),
    IsString(),
    MaxLength(50),
  );
