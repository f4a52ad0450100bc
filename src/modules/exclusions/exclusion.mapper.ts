import { type ExclusionDto } from './dto/exclusion.dto.js';
import { type Exclusion } from './exclusion.entity.js';

export function toExclusionDto(row: Exclusion): ExclusionDto {
  return {
    id: row.id,
    monitorIds: row.monitorIds,
    tags: row.tags,
    from: row.startsAt.toISOString(),
    to: row.endsAt.toISOString(),
    reason: row.reason,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    deletedBy: row.deletedBy,
  };
}
