import { IsIn, IsString, Matches, MaxLength } from 'class-validator';

// Generated clients compile the patterns of the OpenAPI document without the u flag.
/* eslint-disable no-control-regex */
const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;
const NEITHER_COLON_NOR_CONTROL_CHARACTERS = /^[^:\x00-\x1f\x7f-\x9f]*$/;
/* eslint-enable no-control-regex */

/** How checks authenticate; `type` determines the other members. */
export class HttpAuthType {
  /**
   * The scheme of the `Authorization` header.
   * @example "basic"
   */
  @IsIn(['basic', 'bearer'])
  type: 'basic' | 'bearer';
}

/** HTTP Basic authentication (RFC 7617). */
export class HttpBasicAuth extends HttpAuthType {
  /** For the documentation. */
  static readonly schemas = { type: { type: 'string', const: 'basic' } };

  declare type: 'basic';

  /**
   * Username, without a colon.
   * @example "probe"
   */
  @IsString()
  @MaxLength(255)
  @Matches(NEITHER_COLON_NOR_CONTROL_CHARACTERS, {
    message: 'username must not contain a colon or control characters',
  })
  username: string;

  /**
   * Password. Responses contain `"********"` instead; sending that string keeps the stored password.
   * @example "correct horse"
   */
  @IsString()
  @MaxLength(1_024)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'password must not contain control characters' })
  password: string;
}

/** A bearer token (RFC 6750). */
export class HttpBearerAuth extends HttpAuthType {
  /** For the documentation. */
  static readonly schemas = { type: { type: 'string', const: 'bearer' } };

  declare type: 'bearer';

  /**
   * The token. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "s3cr3t"
   */
  @IsString()
  @MaxLength(8_192)
  @Matches(/^[\x21-\x7e]+$/, { message: 'token must consist of visible ASCII characters without spaces' })
  token: string;
}

export type HttpAuth = HttpBasicAuth | HttpBearerAuth;

const SCHEMES = new Map<unknown, new () => HttpAuthType>([
  ['basic', HttpBasicAuth],
  ['bearer', HttpBearerAuth],
]);

/**
 * Returns the class to validate any value with. Replaces class-transformer's discriminator, which throws for an array
 * that contains null.
 */
export function authClassOf(value: unknown): new () => HttpAuthType {
  return SCHEMES.get((value as Partial<HttpAuth> | null | undefined)?.type) ?? HttpAuthType;
}
