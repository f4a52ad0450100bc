import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';

const INTEGER = /^-?(0|[1-9]\d*)$/;
const LISTS = Symbol('list parameters');

export interface QueryIntOptions {
  min: number;
  max: number;
  /** What the OpenAPI document says is taken for an absent parameter; the property's initialiser does it. */
  default?: number;
  /** A larger value counts as `max` instead of being refused. */
  coerceToMax?: boolean;
  description?: string;
  /** For the documentation; the default, else `min`, unless given. */
  example?: number;
}

/** An optional whole number of the query; `10abc`, `1.5`, `1e3` and the empty string are refused. */
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
      // A document that named a coerced maximum would forbid what is accepted.
      ...(!coerceToMax && { maximum: max }),
      ...(options.default !== undefined && { default: options.default }),
      example: options.example ?? options.default ?? min,
      description,
    }),
  );
}

/** An optional `true` or `false` of the query; nothing else is either. */
export function QueryBoolean(description?: string): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsOptional(),
    IsBoolean(),
    ApiPropertyOptional({ type: 'boolean', description, example: true }),
  );
}

/** A repeatable parameter (`?tag=a&tag=b`): always an array where it is present. Rules of its elements take `each`. */
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
      ...{ isArray: true, type: String, maxItems, description, enum: options.enum?.slice(), example },
      // Of the parameter, not of its schema: `?tag=a&tag=b`.
      ...{ style: 'form', explode: true },
    }),
  );
}

/** The parameters of a query class that may be repeated. */
export function listParameters(cls: abstract new (...args: never[]) => object): Set<string> {
  return new Set((Reflect.getMetadata(LISTS, cls.prototype as object) as string[] | undefined) ?? []);
}
