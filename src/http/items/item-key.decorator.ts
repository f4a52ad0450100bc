import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';

/** A natural key, as `key:<key>` in a path names it. One that begins like an API key is refused: it may be one. */
export function IsItemKey(): PropertyDecorator {
  return applyDecorators(
    Matches(/^[a-z0-9][a-z0-9._-]{0,99}$/, { message: 'wants a-z, 0-9, ".", "_" and "-", at most 100 characters' }),
    Matches(/^(?!dw_)/, { message: 'must not begin with "dw_": that is how API keys begin' }),
  );
}
