import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IMPACTS, type Impact, type Phase, PHASES } from './incident.dto.js';

const MAX_ACKNOWLEDGED_SECONDS = 30 * 86_400;

/** A new update of an incident. */
export class WriteIncidentUpdateDto {
  /**
   * Progress of the work on the incident. `resolved` resolves a manual incident and ends a drill; a detected one
   * resolves automatically and accepts `resolved` only after that. A resolved incident accepts only `resolved`,
   * `postmortem` and `note`; to reopen a manual one, set its `resolvedAt` to null. `postmortem` requires that the
   * incident is resolved. Default `note`.
   * @example "identified"
   */
  @IsOptional()
  @IsIn(PHASES)
  @ApiProperty({ enum: PHASES })
  phase?: Phase | null;

  /**
   * 1 to 5,000 characters of CommonMark. Line breaks are preserved, and addresses that begin with `http://` or
   * `https://` become links. HTML is shown as text, and images as links.
   * @example "A faulty release; we are rolling back."
   */
  @IsDefined()
  @IsString()
  @Length(1, 5_000)
  text: string;

  /**
   * Whether status pages show the update. Default false for a `note`, otherwise true. Updates of a drill are never
   * public.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  public?: boolean | null;

  /**
   * Whether subscribers of the status pages that show the incident are sent the update. Requires a public update.
   * Write-only. Default true for a public update of an open incident, and for the one that resolves it; otherwise
   * false.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  @ApiProperty({ type: Boolean, nullable: true, required: false, writeOnly: true })
  notifySubscribers?: boolean | null;
}

/** A manual incident, for status pages. Omitted and null fields take their defaults. */
export class CreateIncidentDto {
  /**
   * What happened, 1 to 200 characters.
   * @example "Payments are delayed"
   */
  @IsDefined()
  @IsString()
  @Length(1, 200)
  @SingleLine()
  title: string;

  /**
   * The affected monitors, each by id or `key:<key>`, 1 to 1,000. Status pages that show one of them show the incident.
   * @example ["key:checkout-api"]
   */
  @IsDefined()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  monitorIds: string[];

  /**
   * Impact on the users of the service. Default `degraded`.
   * @example "degraded"
   */
  @IsOptional()
  @IsIn(IMPACTS)
  @ApiProperty({ enum: IMPACTS })
  impact?: Impact | null;

  /**
   * When the incident began. Must not be in the future. Default now.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  startedAt?: string | null;

  /**
   * When the incident ended. Must not be before `startedAt` or in the future. By default, the incident is open.
   * @example null
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  resolvedAt?: string | null;

  /** The first update. By default, there is none. */
  @IsOptional()
  @NestedObject(() => WriteIncidentUpdateDto)
  update?: WriteIncidentUpdateDto | null;
}

/** A complete manual incident, as it is after a merge. */
export class IncidentDefinitionDto extends OmitType(CreateIncidentDto, ['update']) {}

/** The same without its monitors. */
export class IncidentWithoutMonitorsDto extends OmitType(IncidentDefinitionDto, ['monitorIds']) {}

/** The writable fields of a detected incident. */
export class IncidentTitleDto extends PickType(CreateIncidentDto, ['title']) {}

/** Changes to an incident. Only the title of a detected incident can be changed, and only `resolvedAt` of a drill. */
export class UpdateIncidentDto extends PartialType(IncidentDefinitionDto) {}

/** An acknowledgement of an incident. */
export class AcknowledgeIncidentDto {
  /**
   * At most 2,000 characters. A blank note removes an earlier one. By default, there is no note.
   * @example "On it."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  note?: string | null;

  /**
   * Seconds from now after which the acknowledgement expires and the steps of notification policies continue, at most
   * 2,592,000 (30 days); 0 for never. Default 3,600. If a flapping monitor has been up in between, ten minutes of unbroken
   * outage end the acknowledgement earlier, even with 0.
   * @example 7200
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_ACKNOWLEDGED_SECONDS)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_ACKNOWLEDGED_SECONDS })
  expiresInSeconds?: number | null;
}
