import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** How long a window runs that is started by hand. */
export class StartMaintenanceWindowDto {
  /**
   * Seconds from now on, at most 30 days. Default: as long as an occurrence of its schedule; required where it has none.
   * @example 900
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_592_000)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 2_592_000, required: false })
  durationSeconds?: number | null;
}
