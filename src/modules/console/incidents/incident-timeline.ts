import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';
import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { type NotificationGroup, notificationGroups } from './notification-groups.js';

/** An event of an incident. `at` is an ISO 8601 timestamp. */
export type IncidentEvent =
  | { is: 'started' | 'reported' | 'confirmed' | 'acknowledged' | 'recovered' | 'resolved'; at: string }
  | { is: 'failed at' | 'recovered at'; at: string; location: string }
  | { is: 'update'; at: string; update: IncidentUpdateDto }
  | { is: 'notified'; at: string; group: NotificationGroup };

/** An incident may be reported this long after its start without that being worth an entry. */
const AT_ONCE_MS = 60_000;

/** Moments of notifications that the timeline shows; its page of notifications shows all. */
const MOST_GROUPS = 20;

/** Outages at single locations that the timeline shows; the newest ones. */
const MOST_OUTAGES = 20;

/**
 * Returns the events of an incident and what became of its notifications, oldest first. An update that resolved the
 * incident or reported it stands for that event.
 */
export function incidentEvents(incident: IncidentDto, outcomes: readonly ChannelOutcome[]): IncidentEvent[] {
  const { kind, startedAt, confirmedAt, resolvedAt, acknowledgedAt, createdAt, outageCount, updates } = incident;
  const isDetected = kind === 'detected';
  const isLateReport = !isDetected && Date.parse(createdAt) - Date.parse(startedAt) > AT_ONCE_MS;
  const events: IncidentEvent[] = [{ is: 'started', at: startedAt }];
  if (isLateReport) events.push({ is: 'reported', at: createdAt });
  for (const { name, confirmedAt: at, resolvedAt: endedAt } of incident.locations.slice(-MOST_OUTAGES)) {
    events.push({ is: 'failed at', at, location: name });
    if (endedAt !== null) events.push({ is: 'recovered at', at: endedAt, location: name });
  }
  if (confirmedAt !== null && isDetected) events.push({ is: 'confirmed', at: confirmedAt });
  if (acknowledgedAt !== null) events.push({ is: 'acknowledged', at: acknowledgedAt });
  for (const update of updates) events.push({ is: 'update', at: update.at, update });
  if (resolvedAt !== null && (isDetected ? outageCount > 0 : !isTold(resolvedAt, updates))) {
    events.push({ is: isDetected ? 'recovered' : 'resolved', at: resolvedAt });
  }
  const groups = notificationGroups(outcomes).slice(0, MOST_GROUPS);
  for (const group of groups) events.push({ is: 'notified', at: group.at, group });
  // The sort is stable: events of the same moment keep their order.
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function isTold(resolvedAt: string, updates: readonly IncidentUpdateDto[]): boolean {
  return updates.some(({ phase, at }) => phase === 'resolved' && at === resolvedAt);
}
