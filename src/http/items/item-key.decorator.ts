import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';

/** A key for `key:<key>` in paths. One that starts like an API key is rejected, because it may be an API key. */
export function IsItemKey(): PropertyDecorator {
  return applyDecorators(
    Matches(/^[a-z0-9][a-z0-9._-]{0,99}$/, {
      message: '$property must have 1 to 100 characters: a-z, 0-9, ".", "_", "-"',
    }),
    Matches(/^(?!dw_)/, { message: '$property must not begin with "dw_", the prefix of API keys' }),
  );
}
