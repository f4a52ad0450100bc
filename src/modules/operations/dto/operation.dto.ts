import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQueryDto } from '../../../http/lists/page.js';
import { PROBLEM_CODES, type ProblemCode } from '../../../http/problems/problem-codes.js';
import { FieldErrorDto } from '../../../http/problems/problem.dto.js';
import { BULK_ACTIONS, type BulkActionName } from './bulk-monitors.dto.js';

export const OPERATION_STATUSES = ['queued', 'running', 'finished'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const RESULT_STATUSES = ['succeeded', 'unchanged', 'failed'] as const;
export type OperationResultStatus = (typeof RESULT_STATUSES)[number];

/** An action on several monitors. Available for 30 days after it has finished. */
export class OperationDto {
  /** @example "0198c9a4-c1e0-7f55-8a3d-2b1c0d9e8f70" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** @example "pause" */
  @ApiProperty({ enum: BULK_ACTIONS })
  action: BulkActionName;

  /**
   * `queued` until the first monitor is processed; `finished` when all have been, even if some failed.
   * @example "finished"
   */
  @ApiProperty({ enum: OPERATION_STATUSES })
  status: OperationStatus;

  /** Number of selected monitors. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total: number;

  /** Number of monitors processed so far, including those that failed or remained unchanged. @example 1 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  done: number;

  /** Number of monitors that were already in the requested state. @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  unchanged: number;

  /** Number of monitors that failed. @example 0 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  failed: number;

  /** @example "api-key:0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  createdBy: string;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** @example "2026-01-01T12:00:00.050Z" */
  @ApiProperty({ format: 'date-time' })
  startedAt: string | null;

  /** @example "2026-01-01T12:00:01.000Z" */
  @ApiProperty({ format: 'date-time' })
  finishedAt: string | null;
}

/** Why an action failed for a monitor: the problem that the operation of a single monitor would have returned. */
export class OperationErrorDto {
  /**
   * One of the published problem codes.
   * @example "validation_failed"
   */
  @ApiProperty({ type: 'string', enum: PROBLEM_CODES })
  code: ProblemCode;

  /** @example "The body has 1 error." */
  detail: string;

  /** The individual errors of a `patch`, by pointer into it; otherwise empty. @example [] */
  errors: FieldErrorDto[];
}

/** The outcome for one monitor. */
export class OperationResultDto {
  /**
   * The selected monitor; null if `address` matches no monitor.
   * @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"
   */
  @ApiProperty({ format: 'uuid' })
  monitorId: string | null;

  /** The name of the monitor when it was selected. @example "Checkout API" */
  name: string | null;

  /** The address as it was sent, if it matches no monitor. @example null */
  address: string | null;

  /**
   * `unchanged` if the monitor was already in the requested state. Null while the monitor has not been processed.
   * @example "succeeded"
   */
  @ApiProperty({ type: 'string', enum: RESULT_STATUSES, nullable: true })
  status: OperationResultStatus | null;

  /** Null unless the action failed. */
  @ApiProperty({ example: null })
  error: OperationErrorDto | null;
}

/** A finished operation with its results, by ascending monitor id; addresses without a monitor are last. */
export class CompletedOperationDto extends OperationDto {
  results: OperationResultDto[];
}

export class OperationResultPageDto {
  data: OperationResultDto[];

  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Filters of the results of an operation. */
export class ListOperationResultsQuery extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Only results with this status.', enum: RESULT_STATUSES, example: 'failed' })
  @IsOptional()
  @IsIn(RESULT_STATUSES)
  status?: OperationResultStatus;
}
