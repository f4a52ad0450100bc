import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
} from 'class-validator';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { IMPACTS, type Impact, type Phase, PHASES } from './incident.dto.js';

/** Something to tell about an incident. */
export class WriteIncidentUpdateDto {
  /**
   * How far the work on it is. `resolved` resolves a manual incident, any other but `note` opens it again; a detected one
   * resolves by itself, and may be told `resolved` from then on. Default `note`.
   * @example "identified"
   */
  @IsOptional()
  @IsIn(PHASES)
  @ApiProperty({ enum: PHASES })
  phase?: Phase | null;

  /**
   * 1 to 5,000 characters.
   * @example "A faulty release; we are rolling back."
   */
  @IsDefined()
  @IsString()
  @Length(1, 5_000)
  text: string;

  /**
   * Whether status pages show it. Default true, but for a `note`.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  public?: boolean | null;
}

/** A manual incident, for status pages. A field that is left out, or null, takes its default. */
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
   * The monitors it is about, each by id or `key:<key>`, 1 to 1,000: status pages that show one of them show the incident.
   * @example ["key:checkout-api"]
   */
  @IsDefined()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  monitorIds: string[];

  /**
   * What it means for those who use the service. Default `degraded`.
   * @example "degraded"
   */
  @IsOptional()
  @IsIn(IMPACTS)
  @ApiProperty({ enum: IMPACTS })
  impact?: Impact | null;

  /**
   * When it began; not in the future. Default now.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  startedAt?: string | null;

  /**
   * When it ended, for one that is over; not before `startedAt`, not in the future. Default none: it is open.
   * @example null
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  resolvedAt?: string | null;

  /** The first update. Default none. */
  @IsOptional()
  @NestedObject(() => WriteIncidentUpdateDto)
  update?: WriteIncidentUpdateDto | null;
}

/** The whole of a manual incident, as it stands after a merge. */
export class IncidentDefinitionDto extends OmitType(CreateIncidentDto, ['update']) {}

/** The same without those it names. */
export class IncidentWithoutMonitorsDto extends OmitType(IncidentDefinitionDto, ['monitorIds']) {}

/** All that can be changed of a detected incident. */
export class IncidentTitleDto extends PickType(CreateIncidentDto, ['title']) {}

/** What to change of an incident: of a detected one the title alone. */
export class UpdateIncidentDto extends PartialType(IncidentDefinitionDto) {}

/** That somebody has taken an incident on. */
export class AcknowledgeIncidentDto {
  /**
   * At most 2,000 characters. Default none.
   * @example "On it."
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  note?: string | null;
}
