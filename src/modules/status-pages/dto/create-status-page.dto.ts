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
import { IsWebUrl } from './web-url.validator.js';

export const ACCESS_TYPES = ['public', 'password'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const MAX_COMPONENTS = 200;

/** A monitor as a status page shows it. */
export class WriteComponentDto {
  /**
   * The id of a component of this page that is to be kept, badge addresses included. Left out: the component of the same
   * monitor is kept, else a new one is made.
   * @example "0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a21"
   */
  @IsOptional()
  @IsString()
  @ApiProperty({ format: 'uuid', required: false })
  id?: string | null;

  /**
   * A monitor of the team: its id, or `key:<key>`. A page shows a monitor once.
   * @example "key:checkout-api"
   */
  @IsDefined()
  @IsString()
  monitorId: string;

  /**
   * Shown name, 1 to 200 characters. Default: the monitor's name at the time of the write.
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
   * Components of one group stand together under its name, 1 to 100 characters. Null: no group.
   * @example "Shop"
   */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  @SingleLine()
  group?: string | null;

  /**
   * Show the daily history and the uptime, not only the present state. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  showUptime?: boolean | null;
}

/** A status page as it is created. A field that is left out, or null, takes its default. */
export class CreateStatusPageDto {
  /**
   * Natural key, unique in the team: address the page as `key:<key>`. Null: none.
   * @example "example"
   */
  @IsOptional()
  @IsItemKey()
  key?: string | null;

  /**
   * Shown name, 1 to 200 characters.
   * @example "Example status"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  name: string;

  /**
   * The page's place under `/status/`: a-z, 0-9 and "-", at most 63 characters, unique on the whole instance: 409
   * `slug_taken` tells that some page has it, published or not, of whichever team.
   * @example "example"
   */
  @IsDefined()
  @Matches(/^[a-z0-9-]{1,63}$/, { message: 'wants a-z, 0-9 and "-", at most 63 characters' })
  slug: string;

  /**
   * Shown below the name, at most 2,000 characters.
   * @example "The state of our shop and its services."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  description?: string | null;

  /**
   * Whether people can see it; an unpublished page answers 404 everywhere. Default true.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  published?: boolean | null;

  /**
   * `public`: for everybody. `password`: asks for the page's password (HTTP Basic, any user name). Default `public`.
   * @example "public"
   */
  @IsOptional()
  @IsIn(ACCESS_TYPES)
  @ApiProperty({ enum: ACCESS_TYPES, required: false })
  accessType?: AccessType | null;

  /**
   * Write-only, 8 to 200 characters. Required when `accessType` becomes `password`, kept when left out after that.
   * @example "correct horse battery"
   */
  @IsOptional()
  @IsString()
  @Length(8, 200)
  @ApiProperty({ writeOnly: true, required: false })
  password?: string | null;

  /**
   * IANA time zone in which times are shown; days of the history are UTC days all the same. Default `UTC`.
   * @example "Europe/Berlin"
   */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string | null;

  /**
   * Days of history shown. Default 90.
   * @example 90
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(365)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365, default: 90, required: false })
  historyDays?: number | null;

  /**
   * Colours: as the reader's device says, or always these. Default `auto`.
   * @example "auto"
   */
  @IsOptional()
  @IsIn(THEMES)
  @ApiProperty({ enum: THEMES, required: false })
  theme?: Theme | null;

  /**
   * A colour of its own, for what is the page's own: a band above it, links, and what has the focus; never for states.
   * Links take a darker or lighter shade of it where it could not be read. `#rrggbb`; lower case is stored. Null: none.
   * @example "#0c8599"
   */
  @IsOptional()
  @IsString()
  @Matches(/^#[0-9A-Fa-f]{6}$/, { message: 'wants "#" and six hexadecimal digits, such as #0c8599' })
  accentColor?: string | null;

  /**
   * An image for the head of the page, loaded by the readers' browsers: http or https, at most 2,000 characters.
   * @example "https://example.com/logo.svg"
   */
  @IsOptional()
  @IsWebUrl()
  @MaxLength(2_000)
  logoUrl?: string | null;

  /**
   * Where the page's name links to: http or https, at most 2,000 characters.
   * @example "https://example.com/"
   */
  @IsOptional()
  @IsWebUrl()
  @MaxLength(2_000)
  homepageUrl?: string | null;

  /** What the page shows, in this order, at most 200. Default none. */
  @IsOptional()
  @NestedArray(() => WriteComponentDto, MAX_COMPONENTS)
  @ApiProperty({ type: () => [WriteComponentDto], maxItems: MAX_COMPONENTS, required: false })
  components?: WriteComponentDto[] | null;

  /**
   * Shorthand for `components`: monitors by id or `key:<key>`, all else by default. Not together with `components`.
   * @example ["key:checkout-api"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_COMPONENTS)
  @IsString({ each: true })
  @ApiProperty({ type: [String], maxItems: MAX_COMPONENTS, writeOnly: true, required: false })
  monitorIds?: string[] | null;
}

/** A JSON merge patch of a status page: what is absent stays, null restores the default, arrays are replaced. */
export class UpdateStatusPageDto extends PartialType(CreateStatusPageDto) {}
