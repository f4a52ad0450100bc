import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type NotificationChannel } from './notification-channel.entity.js';

/** Returns an event about a notification channel. */
export function channelEvent(
  type: EventType,
  { id, teamId, key, name }: NotificationChannel,
  rest: Pick<NewEvent, 'changes' | 'data'> = {},
): NewEvent {
  return { type, teamId, resource: { type: 'notification_channel', id, key, name }, ...rest };
}
