import { ValidateBy, type ValidationOptions } from 'class-validator';

/** Validates `any`, `majority`, `all`, or an integer from 1 to 20. */
export function IsQuorum(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isQuorum',
      validator: {
        validate: (value: unknown) =>
          value === 'any' ||
          value === 'majority' ||
          value === 'all' ||
          (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 20),
        defaultMessage: () => '$property must be any, majority, all or an integer from 1 to 20',
      },
    },
    options,
  );
}
