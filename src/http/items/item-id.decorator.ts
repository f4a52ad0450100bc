import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';

/** Documents `:id` of an item that may also be addressed by key. `key` is the one used in examples. */
export function ApiItemId(noun: string, key: string): ClassDecorator & MethodDecorator {
  const description = `The id of the ${noun}, or \`key:<key>\`.`;
  return applyDecorators(ApiParam({ name: 'id', description, schema: { type: 'string', example: `key:${key}` } }));
}
