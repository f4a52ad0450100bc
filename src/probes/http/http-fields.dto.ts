import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { type AssertionSource } from '../../domain/assertions.js';
import { AssertionDto, AssertionList } from '../assertion.dto.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';
import { HeaderFields } from './header-fields.dto.js';
import { statusPatternProblem, type StatusPattern } from './expected-status.js';
import { authClassOf, HttpBasicAuth, HttpBearerAuth, HttpOauth2Auth, type HttpAuth } from './http-auth.dto.js';
import * as rules from './http-fields.rules.js';
import { HttpFormFieldSettings, HttpFormSettings, HttpSettings } from './http-settings.dto.js';

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** An assertion about an HTTP check. */
export class HttpAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = [
    'statusCode',
    'responseTimeMs',
    'header',
    'textBody',
    'jsonBody',
    'responseBodySize',
    'tlsDaysLeft',
    'tlsProtocol',
    'certificateFingerprint',
  ];
}

/** The fields of a monitor of type `http`. */
export class HttpFields extends HeaderFields {
  /** For the documentation: the classes of nested members, and schemas that the types do not express. */
  static readonly models = [
    HttpAssertion,
    HttpBasicAuth,
    HttpBearerAuth,
    HttpOauth2Auth,
    HttpFormFieldSettings,
    HttpFormSettings,
    HttpSettings,
  ];
  static override readonly schemas = {
    auth: {
      oneOf: ['HttpBasicAuth', 'HttpBearerAuth', 'HttpOauth2Auth'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
      nullable: true,
    },
    ...HeaderFields.schemas,
    expectedStatusCodes: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: {
        oneOf: [
          { type: 'string', pattern: '^([1-5][xX]{2}|[1-5]\\d\\d(-[1-5]\\d\\d)?)$' },
          { type: 'integer', minimum: 100, maximum: 599 },
        ],
      },
    },
  };

  /**
   * Absolute http or https URL, at most 2,048 characters, without a username or password (use `auth`). A fragment is not
   * sent.
   * @example "https://example.com/health"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', rules.url, 'url')
  url: string;

  /**
   * Request method.
   * @example "GET"
   */
  @MayBeLeftOut()
  @IsIn(HTTP_METHODS)
  method?: HttpMethod;

  /**
   * Request body, at most 64 KiB as UTF-8; set `Content-Type` in `headers`.
   * @example "{\"ping\":true}"
   */
  @IsOptional()
  @IsString()
  @Rule('too_long', rules.bodySize, 'bodySize')
  body?: string | null;

  /**
   * Credentials, sent as the `Authorization` header, and only to the origin of `url`.
   * @example { "type": "bearer", "token": "s3cr3t" }
   */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Rule('invalid_value', rules.authAlone, 'authAlone')
  @Type((options) => authClassOf(options?.object.auth))
  auth?: HttpAuth | null;

  /**
   * Whether redirects are followed; otherwise the redirect itself is evaluated.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  followRedirects?: boolean;

  /**
   * Maximum number of redirects to follow, 0 to 20. Credentials and secret headers are not sent to another origin.
   * @example 10
   */
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(20)
  maxRedirects?: number;

  /**
   * Whether the certificate must be trusted, not expired, and issued for the host.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  verifyTls?: boolean;

  /**
   * Status codes that pass: 1 to 50 codes (`301`), classes (`"2xx"`) or ranges (`"200-299"`).
   * @example ["2xx"]
   */
  @MayBeLeftOut()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(50)
  @Rule('invalid_value', statusPatternProblem, 'statusPattern', { each: true })
  expectedStatusCodes?: StatusPattern[];

  /**
   * Less usual options: the version of the Internet Protocol, HTTP/2, a form, a client certificate, a proxy. Null for none
   * of them.
   * @example { "ipVersion": 4 }
   */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => HttpSettings)
  @Rule('invalid_value', rules.formAlone, 'formAlone')
  settings?: HttpSettings | null;

  /** At most 20 assertions about the response. */
  @ArrayMaxSize(20)
  @AssertionList(() => HttpAssertion)
  assertions?: HttpAssertion[];
}
