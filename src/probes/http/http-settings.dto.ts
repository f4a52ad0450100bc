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
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { type IpVersion } from '../net/name-resolver.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';
import * as rules from './http-settings.rules.js';

const FORM_ENCODINGS = ['urlencoded', 'multipart'] as const;
type FormEncoding = (typeof FORM_ENCODINGS)[number];
const MAX_FORM_FIELDS = 50;

/** One field of a form. */
export class HttpFormFieldSettings {
  /**
   * Name, 1 to 200 characters. A name may occur several times.
   * @example "q"
   */
  @IsString()
  @Length(1, 200)
  name: string;

  /**
   * Value, or the content of the file.
   * @example "shoes"
   */
  @IsString()
  @MaxLength(65_536)
  value: string;

  /**
   * The name of a file, at most 200 characters, which makes the field a file. Only for `multipart`; otherwise null.
   * @example null
   */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  fileName?: string | null;
}

/** A form that is sent as the body. */
export class HttpFormSettings {
  /**
   * `urlencoded` sends `application/x-www-form-urlencoded`, `multipart` sends `multipart/form-data`.
   * @example "urlencoded"
   */
  @IsIn(FORM_ENCODINGS)
  @Rule('invalid_value', rules.filesNeedMultipart, 'filesNeedMultipart')
  encoding: FormEncoding;

  /**
   * The fields, 1 to 50, in their order; together at most 64 KiB.
   * @example [{ "name": "q", "value": "shoes", "fileName": null }]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_FORM_FIELDS)
  @ValidateNested({ each: true })
  @Type(() => HttpFormFieldSettings)
  @Rule('too_long', rules.formSize, 'formSize')
  fields: HttpFormFieldSettings[];
}

/** Less usual options of a request. */
export class HttpSettings {
  /** For the documentation: a schema without an enumeration, which a later version of the protocol would extend. */
  static readonly schemas = { ipVersion: { type: ['integer', 'null'], minimum: 4, maximum: 6 } };

  /**
   * The version of the Internet Protocol by which the host is reached: 4 or 6. Null for either.
   * @example 4
   */
  @IsOptional()
  @IsInt()
  @Min(4)
  @Max(6)
  @Rule('invalid_value', rules.ipVersion, 'ipVersion')
  ipVersion?: IpVersion | null;

  /**
   * Whether HTTP/2 is used, if the server offers it (ALPN). Otherwise, and over plain http, requests use HTTP/1.1. Default
   * false.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  http2?: boolean;

  /**
   * A form to send instead of `body`; it also determines `Content-Type`. Null for none.
   * @example null
   */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => HttpFormSettings)
  form?: HttpFormSettings | null;

  /**
   * The certificate to present to the host of `url` if it asks for one, in PEM, followed by any intermediate certificates;
   * at most 16,384 characters. Needs `clientKey`. Null for none.
   * @example null
   */
  @IsOptional()
  @IsString()
  @MaxLength(16_384)
  @Rule('invalid_value', rules.certificate, 'certificate')
  @Rule('invalid_value', rules.certificateWithKey, 'certificateWithKey')
  clientCertificate?: string | null;

  /**
   * The private key of `clientCertificate`, in PEM, not encrypted; at most 16,384 characters. Responses contain
   * `"********"` instead; sending that string keeps the stored key.
   * @example null
   */
  @IsOptional()
  @IsString()
  @MaxLength(16_384)
  @Rule('invalid_value', rules.privateKey, 'privateKey')
  @Rule('invalid_value', rules.keyWithCertificate, 'keyWithCertificate')
  clientKey?: string | null;

  /**
   * The HTTP proxy for all requests: an absolute http URL, at most 2,048 characters, without a path. For https, it is asked
   * to connect to the host (`CONNECT`). A proxy resolves the name of the host itself. Null for none.
   * @example "http://proxy.example.com:3128"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', rules.proxyUrl, 'proxyUrl')
  proxyUrl?: string | null;

  /**
   * The username for the proxy, at most 255 characters, without a colon. Null if the proxy does not ask for one.
   * @example null
   */
  @IsOptional()
  @IsString()
  @Length(1, 255)
  @Rule('invalid_value', rules.proxyUsername, 'proxyUsername')
  proxyUsername?: string | null;

  /**
   * The password for the proxy, at most 1,024 characters. Responses contain `"********"` instead; sending that string keeps
   * the stored password.
   * @example null
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  @Rule('invalid_value', rules.proxyPassword, 'proxyPassword')
  proxyPassword?: string | null;
}
