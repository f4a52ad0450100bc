import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';
import { Distinct } from '../../../http/body/distinct.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';
import { PROBES } from '../../../probes/index.js';

const TYPES = PROBES.map(({ type }) => type);

/**
 * Selects monitors: all of them, or those that are listed, and those that meet every given condition on tags and types.
 * A monitor with one of `notTags` is never selected. An empty match is invalid.
 */
export class PolicyMatchDto {
  /** `true` selects all monitors, including future ones. Excludes the other members. @example true */
  @IsOptional()
  @IsBoolean()
  @ApiProperty({ type: Boolean, required: false })
  all?: boolean | null;

  /**
   * Monitors of the team, each by id or `key:<key>`; at most 1,000.
   * @example ["key:checkout-api"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  @ApiProperty({ type: [String], maxItems: 1_000, required: false })
  monitorIds?: string[] | null;

  /** Selects monitors that have any of these tags. @example ["production"] */
  @Tags()
  tags?: string[] | null;

  /** Selects monitors that have all of these tags. @example ["production"] */
  @Tags()
  allTags?: string[] | null;

  /** Never selects monitors that have any of these tags. @example ["staging"] */
  @Tags()
  notTags?: string[] | null;

  /** Selects monitors of any of these types. @example ["http"] */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @Distinct()
  @IsIn(TYPES, { each: true })
  @ApiProperty({ type: [String], enum: TYPES, required: false })
  types?: string[] | null;
}

/** At most 50 tags of 1 to 50 characters. */
function Tags(): PropertyDecorator {
  const rules = [
    IsOptional(),
    IsArray(),
    ArrayMaxSize(50),
    Distinct(),
    IsString({ each: true }),
    Length(1, 50, { each: true }),
    SingleLine({ each: true }),
    ApiProperty({ type: [String], maxItems: 50, required: false }),
  ];
  return (target, name) => {
    for (const rule of rules) rule(target, name);
  };
}
