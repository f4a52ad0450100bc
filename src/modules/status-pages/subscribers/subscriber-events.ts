import { SYSTEM_ACTOR, type Actor } from '../../../http/auth/actor.js';
import { type NewEvent } from '../../events/new-event.types.js';
import { type StatusPage } from '../status-page.entity.js';
import { type Subscriber } from './subscriber.entity.js';

type SubscriberEvent = 'subscriber.created' | 'subscriber.updated' | 'subscriber.deleted';

/**
 * Returns an event about a subscriber, which contains the id and never the address.
 *
 * @param isByThemselves whether the subscriber did it, who is not known to the team
 */
export function subscriberEvent(
  type: SubscriberEvent,
  { id, teamId, statusPageId, componentIds }: Subscriber,
  isByThemselves: boolean,
): NewEvent {
  const actor: { actor?: Actor } = isByThemselves ? { actor: SYSTEM_ACTOR } : {};
  const by = isByThemselves ? 'subscriber' : 'team';
  return { type, teamId, resource: { type: 'subscriber', id }, data: { statusPageId, componentIds, by }, ...actor };
}

/** Returns the event of an import, without the addresses. */
export function importEvent({ id, teamId, key, name }: StatusPage, imported: number, consentSource: string): NewEvent {
  return {
    type: 'status_page.subscribers_imported',
    teamId,
    resource: { type: 'status_page', id, key, name },
    data: { imported, consentSource },
  };
}
