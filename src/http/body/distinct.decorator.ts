import { ValidateBy } from 'class-validator';

/** Requires distinct elements. `@ArrayUnique()` compares all pairs, which takes seconds for the largest bodies. */
export function Distinct(): PropertyDecorator {
  const validate = (value: unknown) => Array.isArray(value) && new Set(value).size === value.length;
  const defaultMessage = () => '$property must not contain duplicates';
  return ValidateBy({ name: 'arrayUnique', validator: { validate, defaultMessage } });
}
