// Field decorators need this, even in a process that does not load NestJS.
import 'reflect-metadata';
import { ValidateBy, ValidateIf } from 'class-validator';
import { type FieldErrorCode } from '../domain/field-error-codes.js';
import { MASK } from '../domain/mask.js';

/**
 * Returns a property decorator that validates with a plain function, which returns what is wrong with a value, or
 * `null`. The function also receives the whole object; with `each`, it validates each element of an array. `code` is
 * the error code in the API's problem response. Wrong types are reported by the decorators of class-validator instead.
 */
export function Rule(
  code: FieldErrorCode,
  problem: (value: unknown, object: object) => string | null,
  name: string = code,
  { each = false } = {},
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value, args) => problem(value, args!.object) === null,
        // If each element is validated, the first invalid one is reported.
        defaultMessage: (args) => {
          const values: unknown[] = each && Array.isArray(args!.value) ? args!.value : [args!.value];
          const found = values.map((value) => problem(value, args!.object)).find((message) => message !== null);
          return `${args!.property} ${found ?? 'is valid'}`;
        },
      },
    },
    { context: { code }, each },
  );
}

/** Returns a decorator like `IsOptional`, for members that may be absent but not `null`. */
export function MayBeLeftOut(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/**
 * Returns a rule for a text that has no effect without another member. A mask passes, because it only stands for what is
 * stored.
 */
export function requires(name: string): (value: unknown, object: object) => string | null {
  return (value, object) => {
    const isSent = typeof value === 'string' && value !== '' && value !== MASK;
    return isSent && !(object as Record<string, unknown>)[name] ? `requires ${name}` : null;
  };
}
