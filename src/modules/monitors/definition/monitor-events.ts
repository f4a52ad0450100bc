import { type EventType } from '../../events/event.types.js';
import { type EventResource, type NewEvent } from '../../events/new-event.types.js';

/** A monitor as events name it. */
export type NamedMonitor = { id: string; teamId: string; key: string | null; name: string };

function resourceOf({ id, key, name }: NamedMonitor): EventResource {
  return { type: 'monitor', id, key, name };
}

/** Returns an event about a monitor. */
export function monitorEvent(
  type: EventType,
  monitor: NamedMonitor,
  rest: Omit<NewEvent, 'type' | 'teamId' | 'resource'> = {},
): NewEvent {
  return { type, teamId: monitor.teamId, resource: resourceOf(monitor), ...rest };
}
