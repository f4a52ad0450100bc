import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { type EventType } from '../../events/event.types.js';
import { type NewEvent } from '../../events/new-event.types.js';

/** Returns the event by which a team learns about the checks from a location. */
export function locationEvent(
  type: EventType,
  teamId: string,
  location: string,
  occurredAtMs: number,
  data: Record<string, unknown>,
): NewEvent {
  const resource = { type: 'location', id: location, name: location } as const;
  return { type, teamId, resource, occurredAtMs, data, actor: SYSTEM_ACTOR };
}
