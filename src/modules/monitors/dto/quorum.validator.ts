import { ValidateBy, type ValidationOptions } from 'class-validator';

/** `any`, `majority`, `all`, or a whole number from 1 to 20. */
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
        defaultMessage: () => 'wants any, majority, all or a number from 1 to 20',
      },
    },
    options,
  );
}
