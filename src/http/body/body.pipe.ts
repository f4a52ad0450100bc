import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validateBody } from './validation.js';

const NOT_DTOS: ReadonlySet<unknown> = new Set([undefined, Object, Array, String, Number, Boolean]);

/**
 * Global pipe: a `@Body()` typed by a DTO class is validated; an absent body as `{}`. A parameter typed `unknown` or by
 * an interface gets the raw JSON, for routes that must look a resource up (404, 412) before they judge values (422):
 * their service opens it with `validateBody` or `readObject`.
 */
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type !== 'body' || data !== undefined || !metatype || NOT_DTOS.has(metatype)) return value;
    return validateBody(metatype as new () => object, value);
  }
}
