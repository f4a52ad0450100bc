import {
  type OperationDto,
  type OperationResultDto,
  type OperationResultStatus,
  type OperationStatus,
} from './dto/operation.dto.js';
import { type BulkActionName } from './dto/bulk-monitors.dto.js';
import { type OperationItem } from './operation-item.entity.js';

/** An operation with its progress. */
export interface OperationRecord {
  id: string;
  action: string;
  created_by: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  total: number;
  done: number;
  unchanged: number;
  failed: number;
}

export function toOperationDto(row: OperationRecord): OperationDto {
  return {
    id: row.id,
    action: row.action as BulkActionName,
    status: statusOf(row),
    total: row.total,
    done: row.done,
    unchanged: row.unchanged,
    failed: row.failed,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export function toResultDto({ address, name, status, error }: OperationItem): OperationResultDto {
  const target = name === null ? { monitorId: null, name, address } : { monitorId: address, name, address: null };
  return { ...target, status: status as OperationResultStatus | null, error };
}

function statusOf({ started_at: startedAt, finished_at: finishedAt }: OperationRecord): OperationStatus {
  if (finishedAt !== null) return 'finished';
  return startedAt === null ? 'queued' : 'running';
}
