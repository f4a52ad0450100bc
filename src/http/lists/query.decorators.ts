import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsTimestamp } from '../body/timestamp.decorator.js';

const INTEGER = /^-?(0|[1-9]\d*)$/;
const LISTS = Symbol('list parameters');

export interface QueryIntOptions {
  min: number;
  max: number;
  /** The default shown in the OpenAPI document. The initialiser of the property applies it. */
  default?: number;
  /** Treats a larger value as `max` instead of rejecting it. */
  coerceToMax?: boolean;
  description?: string;
  /** The example in the documentation; defaults to `default`, else `min`. */
  example?: number;
}

/** An optional integer in the query. `10abc`, `1.5`, `1e3` and the empty string are rejected. */
export function QueryInt(options: QueryIntOptions): PropertyDecorator {
  const { min, max, coerceToMax = false, description } = options;
  const convert = (value: unknown): unknown => {
    if (typeof value !== 'string' || !INTEGER.test(value)) return value;
    return coerceToMax ? Math.min(Number(value), max) : Number(value);
  };
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => convert(value)),
    IsOptional(),
    IsInt(),
    Min(min),
    Max(max),
    ApiPropertyOptional({
      type: 'integer',
      minimum: min,
      // If values above the maximum are coerced, documenting it would forbid what is accepted.
      ...(!coerceToMax && { maximum: max }),
      ...(options.default !== undefined && { default: options.default }),
      example: options.example ?? options.default ?? min,
      description,
    }),
  );
}

/** An optional boolean in the query: exactly `true` or `false`. */
export function QueryBoolean(description?: string): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsOptional(),
    IsBoolean(),
    ApiPropertyOptional({ type: 'boolean', description, example: true }),
  );
}

/** An optional RFC 3339 timestamp with an offset in the query. */
export function QueryTime(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsTimestamp(),
    ApiPropertyOptional({ format: 'date-time', description, example }),
  );
}

/** Belongs to the parameter, not to its schema, so the decorator's type does not know it. */
const REPEATED = { style: 'form', explode: true };

/** A repeatable parameter (`?tag=a&tag=b`). If present, it is always an array. Rules for its elements need `each`. */
export function QueryList(
  options: { maxItems?: number; description?: string; enum?: readonly string[]; example?: readonly string[] } = {},
) {
  const { maxItems = 50, description, example } = options;
  const remember: PropertyDecorator = (prototype, name) => {
    const known = (Reflect.getMetadata(LISTS, prototype) as string[] | undefined) ?? [];
    Reflect.defineMetadata(LISTS, [...known, String(name)], prototype);
  };
  return applyDecorators(
    remember,
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat())),
    IsOptional(),
    ArrayMaxSize(maxItems),
    ApiPropertyOptional({
      isArray: true,
      type: String,
      maxItems,
      description,
      enum: options.enum?.slice(),
      example,
      ...REPEATED,
    }),
  );
}

/** Returns the parameters of a query class that may be repeated. */
export function listParameters(cls: abstract new (...args: never[]) => object): Set<string> {
  return new Set((Reflect.getMetadata(LISTS, cls.prototype as object) as string[] | undefined) ?? []);
}
