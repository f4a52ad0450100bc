import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type Membership } from '../teams/members.service.js';
import { type UserSummary } from '../users/users.service.js';

/** Returns an event about a person for each of their teams. */
export function personEvents(
  type: EventType,
  { id, name }: Pick<UserSummary, 'id' | 'name'>,
  memberships: readonly Pick<Membership, 'teamId'>[],
  rest: Pick<NewEvent, 'actor' | 'data'>,
): NewEvent[] {
  return memberships.map(({ teamId }) => ({ type, teamId, resource: { type: 'member', id, name }, ...rest }));
}
