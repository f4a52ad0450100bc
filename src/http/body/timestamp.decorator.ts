import { applyDecorators } from '@nestjs/common';
import { IsISO8601, Matches, ValidateBy } from 'class-validator';

/** ISO 8601 also has week and ordinal dates, and years that PostgreSQL lacks; RFC 3339 and `Date` accept neither. */
const RFC_3339 = /^(19|[2-9]\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

/** Requires an RFC 3339 timestamp with an offset, from 1900 on, that exists in the calendar. */
export function IsTimestamp(): PropertyDecorator {
  return applyDecorators(
    IsISO8601({ strict: true, strictSeparator: true }),
    Matches(RFC_3339, {
      message: '$property must be an RFC 3339 timestamp with an offset, such as 2030-01-01T00:00:00Z',
    }),
    // With an offset, the last day of 9999 can fall into the year 10000, which RFC 3339 cannot represent.
    ValidateBy({
      name: 'isWithinYears',
      validator: {
        validate: (value) => typeof value === 'string' && !(new Date(value).getUTCFullYear() > 9_999),
        defaultMessage: () => '$property must be before the year 10000 in UTC',
      },
    }),
  );
}
