import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** How long a manually started window is active. */
export class StartMaintenanceWindowDto {
  /**
   * Seconds from now, at most 30 days. Defaults to the length of a scheduled occurrence; required if the window has no
   * schedule.
   * @example 900
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_592_000)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 2_592_000, required: false })
  durationSeconds?: number | null;
}
