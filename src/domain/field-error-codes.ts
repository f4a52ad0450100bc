/** Errors of one value in a request. The codes are published: codes may be added, but not renamed or removed. */
export const FIELD_ERROR_CODES = [
  'required',
  'unknown_field',
  'read_only_field',
  'forbidden_key',
  'forbidden_character',
  'invalid_type',
  'invalid_value',
  'out_of_range',
  'too_long',
  'too_short',
  'duplicate',
  'not_applicable',
  'immutable',
  'secret_required',
  'address_blocked',
  'exceeds_own',
  'unavailable',
  'mail_not_configured',
  'unknown_parameter',
  'repeated_parameter',
  'differs_from_cursor',
] as const;

export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];
