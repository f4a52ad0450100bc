import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';

/** An event of an incident. `at` is an ISO 8601 timestamp. */
export type IncidentEvent =
  | { is: 'started' | 'reported' | 'confirmed' | 'acknowledged' | 'recovered' | 'resolved'; at: string }
  | { is: 'update'; at: string; update: IncidentUpdateDto };

/** An incident may be reported this long after its start without that being worth an entry. */
const AT_ONCE_MS = 60_000;

/**
 * Returns the events of an incident, oldest first. An update that resolved the incident or reported it stands for that
 * event.
 */
export function incidentEvents(incident: IncidentDto): IncidentEvent[] {
  const { kind, startedAt, confirmedAt, resolvedAt, acknowledgedAt, createdAt, outageCount, updates } = incident;
  const isDetected = kind === 'detected';
  const isLateReport = !isDetected && Date.parse(createdAt) - Date.parse(startedAt) > AT_ONCE_MS;
  const events: IncidentEvent[] = [{ is: 'started', at: startedAt }];
  if (isLateReport) events.push({ is: 'reported', at: createdAt });
  if (confirmedAt !== null) events.push({ is: 'confirmed', at: confirmedAt });
  if (acknowledgedAt !== null) events.push({ is: 'acknowledged', at: acknowledgedAt });
  for (const update of updates) events.push({ is: 'update', at: update.at, update });
  if (resolvedAt !== null && (isDetected ? outageCount > 0 : !isTold(resolvedAt, updates))) {
    events.push({ is: isDetected ? 'recovered' : 'resolved', at: resolvedAt });
  }
  // The sort is stable: events of the same moment keep their order.
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function isTold(resolvedAt: string, updates: readonly IncidentUpdateDto[]): boolean {
  return updates.some(({ phase, at }) => phase === 'resolved' && at === resolvedAt);
}
