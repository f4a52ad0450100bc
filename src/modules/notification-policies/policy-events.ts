import { type JsonChange, jsonChanges } from '../../domain/json-changes.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type NotificationPolicy } from './notification-policy.entity.js';
import { listedIn, writableFields } from './notification-policy.mapper.js';

/** Returns an event about a notification policy. */
export function policyEvent(
  type: EventType,
  { id, teamId, key, name }: NotificationPolicy,
  changes: JsonChange[] | null = null,
): NewEvent {
  return { type, teamId, resource: { type: 'notification_policy', id, key, name }, changes };
}

/** Returns the changes of what a caller can write. Monitors are listed even if they have been deleted. */
export function changesOfPolicy(before: NotificationPolicy, after: NotificationPolicy): JsonChange[] {
  const written = (policy: NotificationPolicy) => writableFields(policy, listedIn(policy.match));
  return jsonChanges(written(before), written(after));
}
