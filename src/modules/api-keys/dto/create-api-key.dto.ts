import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, IsArray, IsDefined, IsIn, IsOptional, IsString, Length } from 'class-validator';
import { Distinct } from '../../../http/body/distinct.decorator.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { type Scope, SCOPES } from '../../../http/auth/principal.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

/** The writable fields of an API key. */
export class CreateApiKeyDto {
  /**
   * Display name, 1 to 200 characters.
   * @example "GitHub Actions"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * Scopes of the key: `admin` includes `write`, and `write` includes `read`.
   * @example ["write"]
   */
  @IsDefined()
  @IsArray()
  @ArrayMinSize(1)
  @Distinct()
  @IsIn(SCOPES, { each: true })
  @ApiProperty({ enum: SCOPES, isArray: true, minItems: 1, uniqueItems: true })
  scopes: Scope[];

  /**
   * When the key expires. Must be in the future, and no later than the expiry of the calling key. Null means that the
   * key never expires.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  expiresAt?: string | null;
}
