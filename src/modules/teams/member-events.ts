import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type Member } from './member.entity.js';

/** Returns an event about a member, who must have been read with the account. */
export function memberEvent(
  type: EventType,
  { teamId, userId, user }: Member,
  rest: Pick<NewEvent, 'changes' | 'data' | 'actor'> = {},
): NewEvent {
  return { type, teamId, resource: { type: 'member', id: userId, name: user?.name ?? null }, ...rest };
}
