// Decorators of fields need it, also in a process that loads no framework.
import 'reflect-metadata';
import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * A property decorator from a plain function that says what is wrong with a value (or `null`); it is given the whole
 * object too. `code` goes into the problem that the API answers with. Values of a wrong type are left to the decorators
 * of class-validator that name them.
 */
export function Rule(
  code: string,
  problem: (value: unknown, object: object) => string | null,
  name = code,
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value, args) => problem(value, args!.object) === null,
        defaultMessage: (args) => `${args!.property} ${problem(args!.value, args!.object) ?? 'is valid'}`,
      },
    },
    { context: { code } },
  );
}

/** Like `IsOptional`, for members that may be left out but not be `null`. */
export function MayBeLeftOut(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
