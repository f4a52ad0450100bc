// Decorators of fields need it, also in a process that loads no framework.
import 'reflect-metadata';
import { ValidateBy, ValidateIf } from 'class-validator';
import { type FieldErrorCode } from '../domain/field-error-codes.js';

/**
 * A property decorator from a plain function that says what is wrong with a value (or `null`). The function is given
 * the whole object too; with `each`, it judges each element of an array. `code` goes into the problem that the API
 * answers with. Values of a wrong type are left to the decorators of class-validator that name them.
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
        // Of an array that is judged by its elements, the first faulty one is told.
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

/** Like `IsOptional`, for members that may be left out but not be `null`. */
export function MayBeLeftOut(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
