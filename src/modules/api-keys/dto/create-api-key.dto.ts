import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsIn,
  IsISO8601,
  IsOptional,
  IsString,
  Length,
  Matches,
} from 'class-validator';
import { type Scope, SCOPES } from '../../../http/principal.js';

/** ISO 8601 also has week and ordinal dates, which RFC 3339 and `Date` do not. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** What a caller says of a key. */
export class CreateApiKeyDto {
  /**
   * Shown name, 1 to 200 characters.
   * @example "GitHub Actions"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  name: string;

  /**
   * What the key may do: `admin` includes `write`, `write` includes `read`.
   * @example ["write"]
   */
  @IsDefined()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  @ApiProperty({ enum: SCOPES, isArray: true, minItems: 1, uniqueItems: true })
  scopes: Scope[];

  /**
   * When the key stops being accepted: in the future, and no later than the calling key's own expiry. Null: never.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(RFC_3339, { message: 'wants an RFC 3339 time with its offset, such as 2030-01-01T00:00:00Z' })
  @ApiProperty({ format: 'date-time' })
  expiresAt?: string | null;
}
