import { ValidateBy, type ValidationOptions } from 'class-validator';

const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 100;
const MAX_VALUE_LENGTH = 1_000;

/** Validates an object of at most 50 strings. */
export function IsMetadata(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isMetadata',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Object.keys(value).length <= MAX_KEYS &&
          Object.entries(value).every(
            ([key, text]) =>
              key.length > 0 &&
              key.length <= MAX_KEY_LENGTH &&
              typeof text === 'string' &&
              text.length <= MAX_VALUE_LENGTH,
          ),
        defaultMessage: () =>
          `$property must be an object with at most ${MAX_KEYS} keys of 1 to ${MAX_KEY_LENGTH} characters, ` +
          `whose values are strings of at most ${MAX_VALUE_LENGTH} characters`,
      },
    },
    options,
  );
}
