import { type JsonChange, jsonChanges } from '../../domain/json-changes.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type MaintenanceWindow } from './maintenance-window.entity.js';
import { toDefinitionDto } from './maintenance-window.mapper.js';

/** The events of which subscribers of status pages are informed. */
const PUBLISHED: ReadonlySet<EventType> = new Set<EventType>([
  'maintenance_window.created',
  'maintenance_window.updated',
  'maintenance_window.deleted',
  'maintenance.started',
  'maintenance.ended',
]);
/** Those of an occurrence, not of the schedule. */
const HELD: ReadonlySet<EventType> = new Set<EventType>(['maintenance.started', 'maintenance.ended']);
/** Subscribers are informed of a window only if it has both. */
const ANNOUNCING: ReadonlySet<string> = new Set(['/public', '/notifySubscribers']);
const RESCHEDULED: ReadonlySet<string> = new Set(['/startsAt', '/endsAt', '/rrule', '/timezone']);

/**
 * Returns an event about a maintenance window. A change that neither announces nor reschedules it is not published, nor is
 * the deletion of a window that is active: its end is.
 */
export function windowEvent(type: EventType, window: MaintenanceWindow, changes: JsonChange[] | null = null): NewEvent {
  const { id, teamId, key, name } = window;
  const isPublished =
    window.public &&
    window.notifySubscribers &&
    PUBLISHED.has(type) &&
    !(type === 'maintenance_window.deleted' && window.reportedActive) &&
    (changes === null || isAnnounced(window, changes) || changes.some(({ pointer }) => RESCHEDULED.has(pointer)));
  const data = isPublished ? { data: publishedData(type, window, changes ?? []) } : {};
  return { type, teamId, resource: { type: 'maintenance_window', id, key, name }, changes, ...data };
}

/** Returns whether a change lets subscribers learn of a window: it is made public, or given its first schedule. */
function isAnnounced({ startsAt }: MaintenanceWindow, changes: readonly JsonChange[]): boolean {
  return (
    startsAt !== null &&
    changes.some(({ pointer, before }) => ANNOUNCING.has(pointer) || (pointer === '/startsAt' && before === null))
  );
}

/**
 * Returns what subscribers are sent. Once it is in progress, the times are those of this occurrence, before that, those
 * of the next one. A window that loses its schedule is cancelled, with the times that it had.
 */
function publishedData(
  type: EventType,
  window: MaintenanceWindow,
  changes: readonly JsonChange[],
): Record<string, unknown> {
  const { description, monitorIds, tags } = window;
  const before = (pointer: string): unknown => changes.find((one) => one.pointer === pointer)?.before ?? null;
  if (type === 'maintenance_window.updated' && window.startsAt === null) {
    const had = { startsAt: before('/startsAt'), endsAt: before('/endsAt') };
    return { notifySubscribers: true, cancelled: true, description, monitorIds, tags, ...had };
  }
  const [from, until] = HELD.has(type) ? [window.activeFrom, window.activeUntil] : nextOccurrence(window);
  const times = { startsAt: from?.toISOString() ?? null, endsAt: until?.toISOString() ?? null };
  const announced = isAnnounced(window, changes) ? { announced: true } : {};
  return { notifySubscribers: true, ...announced, description, monitorIds, tags, ...times };
}

/** Returns when the next occurrence begins and ends; the first one if there is none, or the window is not settled. */
function nextOccurrence({ startsAt, endsAt, nextStartsAt }: MaintenanceWindow): (Date | null)[] {
  if (!startsAt || !endsAt || !nextStartsAt) return [startsAt, endsAt];
  return [nextStartsAt, new Date(nextStartsAt.getTime() + endsAt.getTime() - startsAt.getTime())];
}

/** Returns the event of a manual start that changes when active maintenance ends, which neither starts nor ends it. */
export function extensionEvent(before: MaintenanceWindow, after: MaintenanceWindow): NewEvent[] {
  if (!before.reportedActive || !after.reportedActive) return [];
  const endOf = ({ activeUntil }: MaintenanceWindow) => ({ activeUntil: activeUntil?.toISOString() ?? null });
  const changes = jsonChanges(endOf(before), endOf(after));
  return changes.length === 0 ? [] : [windowEvent('maintenance_window.updated', after, changes)];
}

/** Returns the changes of what a caller can write. Monitors are listed by id. */
export function changesOfWindow(before: MaintenanceWindow, after: MaintenanceWindow): JsonChange[] {
  const written = (window: MaintenanceWindow): object =>
    toDefinitionDto(window, new Map(window.monitorIds.map((id) => [id, id])));
  return jsonChanges(written(before), written(after));
}
