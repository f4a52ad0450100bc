import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** Seven days. */
export const MAX_OVERLAP_SECONDS = 604_800;

/** Options for the rotation of an API key. */
export class RotateApiKeyDto {
  /**
   * Seconds for which the old secret is still accepted beside the new one: 0 to 604,800, but never beyond the expiry of
   * the key. With 0, the old secret is rejected immediately.
   * @example 3600
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 0 })
  overlapSeconds?: number | null;
}
