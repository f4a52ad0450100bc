import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsItemKey } from '../../../http/items/item-key.decorator.js';
import { NestedArray } from '../../../http/body/nested.decorators.js';
import { IsIanaTimeZone } from '../../../http/body/time-zone.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { DOMAIN } from '../custom-domain.js';
import { IsWebUrl } from './web-url.validator.js';

export const ACCESS_TYPES = ['public', 'password'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const MAX_COMPONENTS = 200;

/** A component of a status page: a monitor as the page shows it. */
export class WriteComponentDto {
  /**
   * The id of an existing component of this page, which is kept together with the addresses of its badges. If omitted,
   * the component of the same monitor is kept, or a new one is created.
   * @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"
   */
  @IsOptional()
  @IsString()
  @ApiProperty({ format: 'uuid', required: false })
  id?: string | null;

  /**
   * A monitor of the team: its id, or `key:<key>`. A page can show a monitor only once.
   * @example "key:checkout-api"
   */
  @IsDefined()
  @IsString()
  monitorId: string;

  /**
   * Display name, 1 to 200 characters. Default: the name of the monitor at the time of the write.
   * @example "Checkout"
   */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name?: string | null;

  /**
   * Shown below the name, at most 2,000 characters.
   * @example "Carts and payments"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * Group of the component, 1 to 100 characters. Components of a group are shown together under its name. Null if it is
   * in no group.
   * @example "Shop"
   */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  @SingleLine()
  group?: string | null;

  /**
   * Whether to show the daily history and the uptime in addition to the current state. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  showUptime?: boolean | null;
}

/** The writable fields of a status page. Omitted and null fields take their defaults. */
export class CreateStatusPageDto {
  /**
   * A key of your choice, unique in the team. The page can be addressed as `key:<key>`. Null if it has none.
   * @example "example"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Display name, 1 to 200 characters.
   * @example "Example status"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * Path of the page under `/status/`: 1 to 63 characters of a-z, 0-9 and "-". Must be unique in the whole instance:
   * 409 `slug_taken` means that another page of any team has it, published or not.
   * @example "example"
   */
  @IsDefined()
  @Matches(/^[a-z0-9-]{1,63}$/, { message: '$property must have 1 to 63 characters: a-z, 0-9, "-"' })
  slug: string;

  /**
   * A lower-case host name that serves the page at its root, in addition to the path under `/status/`. Its badges are at
   * `/badges/{componentId}/` of that host. Point the name to this service. Must be unique in the whole instance (409
   * `domain_taken`) and not one of the service's own names; while `ALLOWED_HOSTS` contains `*`, every name is. Null if the
   * page has no domain of its own.
   * @example "status.example.com"
   */
  @IsOptional()
  @IsString()
  @Matches(DOMAIN, { message: '$property must be a lowercase host name, such as status.example.com' })
  @ApiProperty({ type: String, nullable: true, maxLength: 253, required: false })
  customDomain?: string | null;

  /**
   * Shown below the name, at most 2,000 characters.
   * @example "The state of our shop and its services."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * Whether the page is publicly available. An unpublished page returns 404 in all forms. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  published?: boolean | null;

  /**
   * `public`: anyone can see the page. `password`: the page requires a password (HTTP Basic authentication with any
   * username). Default `public`.
   * @example "public"
   */
  @IsOptional()
  @IsIn(ACCESS_TYPES)
  @ApiProperty({ enum: ACCESS_TYPES, required: false })
  accessType?: AccessType | null;

  /**
   * Write-only, 8 to 200 characters. Required when `accessType` becomes `password`; later it is kept if omitted.
   * @example "correct horse battery"
   */
  @IsOptional()
  @IsString()
  @Length(8, 200)
  @ApiProperty({ writeOnly: true, required: false })
  password?: string | null;

  /**
   * IANA time zone in which times are shown. Days of the history are UTC days in any case. Default `UTC`.
   * @example "Europe/Berlin"
   */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;

  /**
   * Number of days of history that are shown. Default 90.
   * @example 90
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(365)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365, default: 90, required: false })
  historyDays?: number | null;

  /**
   * Colour scheme: `auto` follows the visitor's device. Default `auto`.
   * @example "auto"
   */
  @IsOptional()
  @IsIn(THEMES)
  @ApiProperty({ enum: THEMES, required: false })
  theme?: Theme | null;

  /**
   * Accent colour of the page, for a band at the top, links and focus, but not for states. Links use a darker or
   * lighter shade if the colour itself would not be legible. `#rrggbb`, stored in lower case. Null if there is no
   * accent colour.
   * @example "#0c8599"
   */
  @IsOptional()
  @IsString()
  @Matches(/^#[0-9A-Fa-f]{6}$/, { message: '$property must be "#" and six hexadecimal digits, such as #0c8599' })
  accentColor?: string | null;

  /**
   * URL of an image for the header of the page, loaded by visitors' browsers: http or https, at most 2,000 characters.
   * @example "https://example.com/logo.svg"
   */
  @IsOptional()
  @IsWebUrl()
  @MaxLength(2_000)
  logoUrl?: string | null;

  /**
   * URL to which the name of the page links: http or https, at most 2,000 characters.
   * @example "https://example.com/"
   */
  @IsOptional()
  @IsWebUrl()
  @MaxLength(2_000)
  homepageUrl?: string | null;

  /**
   * Whether subscribers are informed of detected incidents, and of their end, without an update by your team. Default
   * false.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  announceDetected?: boolean | null;

  /**
   * How long a detected incident must last after its confirmation before `announceDetected` announces it, in seconds.
   * Default 300.
   * @example 300
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(86_400)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 86_400, default: 300, required: false })
  announceAfterSeconds?: number | null;

  /**
   * Whether components whose monitors are checked from several locations show at which of them they are up or down, with
   * the names of the locations. Default false.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  showLocations?: boolean | null;

  /** Components in the order in which the page shows them, at most 200. By default, there are none. */
  @IsOptional()
  @NestedArray(() => WriteComponentDto, MAX_COMPONENTS)
  @ApiProperty({ type: () => [WriteComponentDto], maxItems: MAX_COMPONENTS, required: false })
  components?: WriteComponentDto[] | null;

  /**
   * Shorthand for `components`: monitors by id or `key:<key>`, with default settings. Must not be combined with
   * `components`.
   * @example ["key:checkout-api"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_COMPONENTS)
  @IsString({ each: true })
  @ApiProperty({ type: [String], maxItems: MAX_COMPONENTS, writeOnly: true, required: false })
  monitorIds?: string[] | null;
}

/**
 * A JSON merge patch of a status page: omitted fields are unchanged, null restores the default, arrays are replaced.
 */
export class UpdateStatusPageDto extends PartialType(CreateStatusPageDto) {}
