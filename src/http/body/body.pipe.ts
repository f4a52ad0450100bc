import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validateBody } from './validation.js';

const NOT_DTOS: ReadonlySet<unknown> = new Set([undefined, Object, Array, String, Number, Boolean]);

/**
 * Global pipe: validates a `@Body()` whose type is a DTO class; an absent body counts as `{}`. A parameter of type
 * `unknown` or of an interface receives the raw JSON, for routes that must look up a resource (404, 412) before they
 * validate values (422). Their services use `validateBody` or `readObject`.
 */
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type !== 'body' || data !== undefined || !metatype || NOT_DTOS.has(metatype)) return value;
    return validateBody(metatype as new () => object, value);
  }
}
