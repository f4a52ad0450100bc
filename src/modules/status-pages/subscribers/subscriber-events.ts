import { SYSTEM_ACTOR, type Actor } from '../../../http/auth/actor.js';
import { type EventType } from '../../events/event.types.js';
import { type NewEvent } from '../../events/new-event.types.js';
import { type StatusPage } from '../status-page.entity.js';
import { type Subscriber } from './subscriber.entity.js';

/** Who caused an event: the subscriber and the service are not people of the team. */
export type CausedBy = 'subscriber' | 'team' | 'service' | 'mail_provider';
type SubscriberEvent = Extract<EventType, `subscriber.${string}`>;

/**
 * Returns an event about a subscriber, which contains the id and never an address.
 *
 * @param by who did it: all but the team act without an account
 * @param webhook what has become of their webhook, if that is what changed
 */
export function subscriberEvent(
  type: SubscriberEvent,
  { id, teamId, statusPageId, componentIds }: Subscriber,
  by: CausedBy,
  webhook?: 'active' | 'ended' | 'removed',
): NewEvent {
  const actor: { actor?: Actor } = by === 'team' ? {} : { actor: SYSTEM_ACTOR };
  const data = { statusPageId, componentIds, by, ...(webhook !== undefined && { webhook }) };
  return { type, teamId, resource: { type: 'subscriber', id }, data, ...actor };
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
