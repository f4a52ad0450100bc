import { ApiParam } from '@nestjs/swagger';

/** Documents `:id` of an operation. */
export const ApiOperationId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the operation, from the response that started it.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-c1e0-7f55-8a3d-2b1c0d9e8f70' },
  });
