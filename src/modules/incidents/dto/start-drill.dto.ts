import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const MIN_SECONDS = 60;
const MAX_SECONDS = 3_600;
export const DRILL_SECONDS = 900;

/** How long a drill lasts. */
export class StartDrillDto {
  /**
   * Seconds after which the drill ends unless it is acknowledged or ended earlier, 60 to 3,600. Default 900.
   * @example 900
   */
  @IsOptional()
  @IsInt()
  @Min(MIN_SECONDS)
  @Max(MAX_SECONDS)
  @ApiProperty({ type: 'integer', minimum: MIN_SECONDS, maximum: MAX_SECONDS, required: false })
  endAfterSeconds?: number | null;
}
