import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { NestedObject } from '../../../http/body/nested.decorators.js';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';
import { PageQueryDto } from '../../../http/lists/page.js';
import { ShownMatchDto } from './notification-policy.dto.js';
import { PolicyMatchDto } from './policy-match.dto.js';

/** Maximum length of a silence. */
export const MAX_SILENCE_DAYS = 7;

/** A time in which no new alert is sent, from now on. */
export class CreateSilenceDto {
  /** The monitors whose alerts are silenced. */
  @IsDefined()
  @NestedObject(() => PolicyMatchDto)
  match: PolicyMatchDto;

  /** When the silence ends: in the future, at most 7 days from now. Instead of `durationSeconds`. @example "2030-01-06T03:00:00.000Z" */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time', required: false })
  until?: string | null;

  /** How long the silence lasts, at most 604,800 seconds. Instead of `until`. @example 7200 */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_SILENCE_DAYS * 86_400)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_SILENCE_DAYS * 86_400, required: false })
  durationSeconds?: number | null;

  /** Why the alerts are silenced, 1 to 2,000 characters. @example "Known fault, the supplier is working on it" */
  @IsDefined()
  @IsString()
  @Length(1, 2_000)
  reason: string;
}

/** A silence. Checks and uptime continue; monitors that are down when it ends notify then. */
export class SilenceDto {
  /** @example "0198c9a4-d6f4-7a32-8b1c-2d3e4f506172" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  match: ShownMatchDto;

  /** @example "2030-01-06T03:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  until: string;

  /** @example "Known fault, the supplier is working on it" */
  reason: string;

  /** @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  createdBy: string;

  /** @example "2026-01-02T08:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** Fields that only the service sets. */
export const SILENCE_READ_ONLY_FIELDS = [
  'id',
  'createdBy',
  'createdAt',
] as const satisfies readonly (keyof SilenceDto)[];

export class SilencePageDto {
  data: SilenceDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Parameters of the list of silences. */
export class ListSilencesDto extends PageQueryDto {}
