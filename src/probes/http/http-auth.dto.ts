import { IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../host.rules.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';

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
  @IsIn(['basic', 'bearer', 'oauth2'])
  type: 'basic' | 'bearer' | 'oauth2';
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

export const CLIENT_AUTHS = ['basic', 'body'] as const;

/**
 * A bearer token for client credentials (OAuth 2.0, RFC 6749, section 4.4). It is requested when it is first needed, used
 * until it expires, and replaced once if the target responds with 401.
 */
export class HttpOauth2Auth extends HttpAuthType {
  /** For the documentation. */
  static readonly schemas = { type: { type: 'string', const: 'oauth2' } };

  declare type: 'oauth2';

  /**
   * The token endpoint: an absolute http or https URL, at most 2,048 characters.
   * @example "https://login.example.com/oauth2/token"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  tokenUrl: string;

  /**
   * The id of the client, 1 to 255 characters.
   * @example "monitoring"
   */
  @IsString()
  @Length(1, 255)
  clientId: string;

  /**
   * The secret of the client, 1 to 1,024 characters. Responses contain `"********"` instead; sending that string keeps the
   * stored secret.
   * @example "correct horse"
   */
  @IsString()
  @Length(1, 1_024)
  clientSecret: string;

  /**
   * How the client authenticates: `basic` with the `Authorization` header, `body` with form fields. Default `basic`.
   * @example "basic"
   */
  @MayBeLeftOut()
  @IsIn(CLIENT_AUTHS)
  clientAuth?: (typeof CLIENT_AUTHS)[number];

  /**
   * The requested scope, at most 1,000 characters. Null for the default of the server.
   * @example "orders:read"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  scope?: string | null;

  /**
   * The audience of the token, at most 1,000 characters, for servers that need it.
   * @example null
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  audience?: string | null;
}

export type HttpAuth = HttpBasicAuth | HttpBearerAuth | HttpOauth2Auth;

const SCHEMES = new Map<unknown, new () => HttpAuthType>([
  ['basic', HttpBasicAuth],
  ['bearer', HttpBearerAuth],
  ['oauth2', HttpOauth2Auth],
]);

/**
 * Returns the class to validate any value with. Replaces class-transformer's discriminator, which throws for an array
 * that contains null.
 */
export function authClassOf(value: unknown): new () => HttpAuthType {
  return SCHEMES.get((value as Partial<HttpAuth> | null | undefined)?.type) ?? HttpAuthType;
}
