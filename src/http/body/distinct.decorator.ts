import { ValidateBy } from 'class-validator';

/** No element is there twice. `@ArrayUnique()` compares each with each: seconds, for as many as a body may hold. */
export function Distinct(): PropertyDecorator {
  const validate = (value: unknown) => Array.isArray(value) && new Set(value).size === value.length;
  const defaultMessage = () => "All $property's elements must be unique";
  return ValidateBy({ name: 'arrayUnique', validator: { validate, defaultMessage } });
}
