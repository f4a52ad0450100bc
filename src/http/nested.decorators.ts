import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';

type ClassThunk = () => new () => object;

/** A member that is one object of a class. `@ValidateNested()` alone would take an array of such objects as well. */
export function NestedObject(cls: ClassThunk): PropertyDecorator {
  return applyDecorators(IsObject(), ValidateNested(), Type(cls));
}

/** A member that is an array of objects of a class. `@ValidateNested({ each: true })` alone would take one object too. */
export function NestedArray(cls: ClassThunk, maxItems: number): PropertyDecorator {
  return applyDecorators(IsArray(), ArrayMaxSize(maxItems), ValidateNested({ each: true }), Type(cls));
}
