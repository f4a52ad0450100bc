import { jsonChanges } from '../../domain/json-changes.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type IncidentTimes } from './detected-records.js';
import { type OrphanedIncident } from './detected-upkeep.js';
import { type IncidentDto } from './dto/incident.dto.js';
import { type IncidentCause } from './incident.entity.js';

/** A detected incident before or after a reconciliation. */
export interface DetectedIncident extends IncidentTimes {
  id: string;
  teamId: string;
  title: string;
  cause: IncidentCause | null;
}

/** Returns the events of a detected incident that was opened; if it was over by then, also that of its end. */
export function openedEvents(incident: DetectedIncident): NewEvent[] {
  const opened = detectedEvent('incident.opened', incident, incident.confirmedAt ?? incident.startedAt);
  if (incident.resolvedAt === null) return [opened];
  return [opened, detectedEvent('incident.resolved', incident, incident.resolvedAt)];
}

/** Returns the event of a detected incident that has changed; none if events state nothing of the change. */
export function correctedEvents(before: DetectedIncident, after: DetectedIncident): NewEvent[] {
  const wasOpen = before.resolvedAt === null;
  const isOpen = after.resolvedAt === null;
  if (wasOpen && !isOpen) return [detectedEvent('incident.resolved', after, after.resolvedAt)];
  if (!wasOpen && isOpen) return [detectedEvent('incident.reopened', after, null)];
  const changes = jsonChanges(stated(before), stated(after));
  return changes.length === 0 ? [] : [{ ...detectedEvent('incident.updated', after, null), changes }];
}

/** Returns the event of a detected incident that did not happen, as late results show. */
export function retractedEvent(incident: DetectedIncident): NewEvent {
  return detectedEvent('incident.retracted', incident, null);
}

/** Returns the event of an incident that ends because its monitor was deleted. */
export function orphanedEvent({ id, team_id: teamId, kind, title, resolved_at: at }: OrphanedIncident): NewEvent {
  return {
    type: 'incident.resolved',
    teamId,
    resource: { type: 'incident', id, name: title },
    data: {
      kind,
      impact: 'down',
      monitorIds: [],
      resolvedAt: at.toISOString(),
      because: 'monitor_deleted',
    },
    occurredAtMs: at.getTime(),
    actor: SYSTEM_ACTOR,
  };
}

function detectedEvent(type: EventType, incident: DetectedIncident, occurredAtMs: number | null): NewEvent {
  const { id, teamId, title, monitorId } = incident;
  return {
    type,
    teamId,
    resource: { type: 'incident', id, name: title },
    data: {
      kind: 'detected',
      impact: 'down',
      monitorIds: [monitorId],
      ...stated(incident),
    },
    ...(occurredAtMs !== null && { occurredAtMs }),
    actor: SYSTEM_ACTOR,
  };
}

function stated(incident: DetectedIncident): Record<string, unknown> {
  const { startedAt, confirmedAt, resolvedAt, outageCount, cause } = incident;
  const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return {
    startedAt: timeOf(startedAt),
    confirmedAt: timeOf(confirmedAt),
    resolvedAt: timeOf(resolvedAt),
    durationSeconds: resolvedAt === null ? null : (resolvedAt - startedAt) / 1_000,
    outageCount,
    cause: cause && { errorCode: cause.errorCode, message: cause.message },
  };
}

/**
 * Returns the events of a write by a caller; `before` is null if it created the incident.
 *
 * @param isPublished whether subscribers of status pages are sent the update; at most one event says so
 */
export function writtenEvents(
  teamId: string,
  before: IncidentDto | null,
  after: IncidentDto,
  isPublished = false,
): NewEvent[] {
  const known = new Set(before?.updates.map(({ id }) => id));
  const update = after.updates.find(({ id }) => !known.has(id));
  const event = (type: EventType, index: number): NewEvent => ({
    type,
    teamId,
    resource: { type: 'incident', id: after.id, name: after.title },
    changes: before && jsonChanges(definitionOf(before), definitionOf(after)),
    data: {
      kind: after.kind,
      ...definitionOf(after),
      ...(update && { update, notifySubscribers: isPublished && index === 0 }),
    },
  });
  const types = typesOf(before, after, update !== undefined);
  return types.map(event);
}

function typesOf(before: IncidentDto | null, after: IncidentDto, hasUpdate: boolean): EventType[] {
  if (!before) return after.resolvedAt === null ? ['incident.opened'] : ['incident.opened', 'incident.resolved'];
  const isAcknowledged = after.acknowledgedAt !== null && after.acknowledgedAt !== before.acknowledgedAt;
  if (isAcknowledged) return ['incident.acknowledged'];
  if (before.resolvedAt === null && after.resolvedAt !== null) return ['incident.resolved'];
  if (before.resolvedAt !== null && after.resolvedAt === null) return ['incident.reopened'];
  if (before.acknowledgedAt !== null && after.acknowledgedAt === null) return ['incident.unacknowledged'];
  return hasUpdate || after.revision !== before.revision ? ['incident.updated'] : [];
}

function definitionOf(incident: IncidentDto): Record<string, unknown> {
  const { title, impact, monitorIds, startedAt, resolvedAt } = incident;
  const { acknowledgedBy, acknowledgedUntil, acknowledgeNote } = incident;
  return { title, impact, monitorIds, startedAt, resolvedAt, acknowledgedBy, acknowledgedUntil, acknowledgeNote };
}
