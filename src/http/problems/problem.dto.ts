import { ApiProperty } from '@nestjs/swagger';
import { FIELD_ERROR_CODES, type FieldErrorCode } from '../../domain/field-error-codes.js';
import { PROBLEM_CODES, type ProblemCode } from './problem-codes.js';

export class FieldErrorDto {
  @ApiProperty({
    required: false,
    description: 'JSON pointer (RFC 6901) into the request body; empty for the body as a whole.',
    example: '/assertions/0/target',
  })
  pointer?: string;

  @ApiProperty({ required: false, description: 'Name of the query parameter.', example: 'limit' })
  parameter?: string;

  @ApiProperty({
    type: 'string',
    enum: FIELD_ERROR_CODES,
    description: 'Stable, machine-readable code.',
    example: 'out_of_range',
  })
  code: FieldErrorCode;

  @ApiProperty({ description: 'Human-readable explanation of the error.', example: 'limit must not be less than 1' })
  detail: string;
}

export class ProblemDto {
  @ApiProperty({ format: 'uri-reference', example: '/docs/problems#not_found' })
  type: string;

  @ApiProperty({ description: 'Short summary, the same for every problem with this code.', example: 'Not found' })
  title: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.', example: 404 })
  status: number;

  @ApiProperty({ description: 'Human-readable explanation of this error.', example: 'There is no such resource.' })
  detail: string;

  @ApiProperty({
    format: 'uri-reference',
    description: 'The path of the request.',
    example: '/v1/monitors/key:checkout-api',
  })
  instance: string;

  @ApiProperty({
    type: 'string',
    enum: PROBLEM_CODES,
    description: 'Stable, machine-readable code.',
    example: 'not_found',
  })
  code: ProblemCode;

  @ApiProperty({
    description: 'The `X-Request-Id` of the response, also in every log line of the request.',
    example: '0b9f6c1e-6d0a-4c55-9d0c-1f4f2c7f8a11',
  })
  requestId: string;

  @ApiProperty({
    type: () => [FieldErrorDto],
    required: false,
    description: 'The individual errors in the body or the query.',
  })
  errors?: FieldErrorDto[];
}
