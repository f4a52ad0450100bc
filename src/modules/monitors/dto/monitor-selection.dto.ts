import { ArrayMaxSize, IsArray, IsOptional, IsString, Length } from 'class-validator';
import { Distinct } from '../../../http/body/distinct.decorator.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

/** A selection of monitors: those that are listed, and those that have any of the tags. */
export class MonitorSelectionDto {
  /**
   * Monitors of the team, each by id or `key:<key>`; at most 1,000. Default none.
   * @example ["key:checkout-api"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  monitorIds?: string[] | null;

  /**
   * Tags: at most 50, of at most 50 characters each. Selects every monitor that has any of them. Default none.
   * @example ["payments"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @Distinct()
  @IsString({ each: true })
  @Length(1, 50, { each: true })
  @SingleLine({ each: true })
  tags?: string[] | null;
}
