import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { IsTimestamp } from '../../../http/body/timestamp.decorator.js';

/** The end and the reason of a pause. Without `until` or `durationSeconds`, it lasts until the monitor is resumed. */
export class PauseMonitorDto {
  /**
   * When the pause ends automatically. Must be in the future.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @IsTimestamp()
  @ApiProperty({ format: 'date-time' })
  until?: string | null;

  /**
   * Seconds after which the pause ends automatically; an alternative to `until`.
   * @example 600
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(315_360_000)
  @ApiProperty({ type: 'integer' })
  durationSeconds?: number | null;

  /**
   * Why the monitor is paused, 1 to 500 characters.
   * @example "Deploying 2.4.0"
   */
  @IsOptional()
  @IsString()
  @Length(1, 500)
  reason?: string | null;
}
