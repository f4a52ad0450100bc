import {
  type Impact,
  type IncidentCauseDto,
  type IncidentDto,
  type IncidentKind,
  type IncidentLocationDto,
  type IncidentUpdateDto,
  type Phase,
} from './dto/incident.dto.js';
import { type Incident, type IncidentCause } from './incident.entity.js';
import { type IncidentOutage } from './incident-outages.js';
import { type IncidentUpdate } from './incident-update.entity.js';

/** An incident with its monitors and updates. */
export interface IncidentView {
  incident: Incident;
  /** Ascending. */
  monitorIds: string[];
  /** Oldest first. */
  updates: IncidentUpdate[];
}

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

export function toIncidentDto(
  { incident, monitorIds, updates }: IncidentView,
  outages: readonly IncidentOutage[] = [],
): IncidentDto {
  const { startedAt, resolvedAt } = incident;
  return {
    id: incident.id,
    revision: incident.revision,
    kind: incident.kind as IncidentKind,
    title: incident.title,
    monitorIds,
    parentIncidentId: incident.parentIncidentId,
    status: resolvedAt === null ? 'open' : 'resolved',
    startedAt: startedAt.toISOString(),
    confirmedAt: time(incident.confirmedAt),
    resolvedAt: time(resolvedAt),
    endsAt: incident.kind === 'drill' ? time(incident.settlesAt) : null,
    durationSeconds: resolvedAt && (resolvedAt.getTime() - startedAt.getTime()) / 1_000,
    outageCount: incident.outageCount,
    cause: incident.cause && toCauseDto(incident.cause),
    locations: outages.map(toLocationDto),
    acknowledgedAt: time(incident.acknowledgedAt),
    acknowledgedBy: incident.acknowledgedBy,
    acknowledgedUntil: time(incident.acknowledgedUntil),
    acknowledgeNote: incident.acknowledgeNote,
    impact: incident.impact as Impact,
    updates: updates.map(toUpdateDto),
    createdAt: incident.createdAt.toISOString(),
    updatedAt: incident.updatedAt.toISOString(),
  };
}

/** Lists the members, because JSONB does not preserve their order. */
function toCauseDto(cause: IncidentCause): IncidentCauseDto {
  const { errorCode, message, statusCode = null, firstFailedCheckId, lastFailedCheckId, failedAssertions } = cause;
  return { errorCode, message, statusCode, firstFailedCheckId, lastFailedCheckId, failedAssertions };
}

function toLocationDto({ location, name, at, confirmedAt, endedAt }: IncidentOutage): IncidentLocationDto {
  return {
    location,
    name,
    startedAt: at.toISOString(),
    confirmedAt: confirmedAt.toISOString(),
    resolvedAt: time(endedAt),
  };
}

function toUpdateDto(update: IncidentUpdate): IncidentUpdateDto {
  const { id, at, phase, text, author } = update;
  return { id, at: at.toISOString(), phase: phase as Phase, text, author, public: update.public };
}
