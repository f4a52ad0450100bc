import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested } from 'class-validator';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';

type ClassThunk = () => new () => object;

/** A member that is one object of a class. `@ValidateNested()` alone would also accept an array of such objects. */
export function NestedObject(cls: ClassThunk): PropertyDecorator {
  return applyDecorators(IsObject(), ValidateNested(), Type(cls));
}

/** A member that is an array of objects of a class. `@ValidateNested({ each: true })` alone would accept one object. */
export function NestedArray(cls: ClassThunk, maxItems: number): PropertyDecorator {
  return applyDecorators(IsArray(), ArrayMaxSize(maxItems), NoArrays(), ValidateNested({ each: true }), Type(cls));
}

/** Rejects arrays as elements: `@ValidateNested({ each: true })` would validate their elements as if not nested. */
function NoArrays(): PropertyDecorator {
  const validate = (element: unknown) => !Array.isArray(element);
  const defaultMessage = () => '$property must contain only objects';
  const context = { code: 'invalid_type' } satisfies { code: FieldErrorCode };
  return ValidateBy({ name: 'noArrays', validator: { validate, defaultMessage } }, { each: true, context });
}
