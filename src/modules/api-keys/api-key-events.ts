import { type JsonChange, jsonChanges } from '../../domain/json-changes.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type ApiKey } from './api-key.entity.js';

/** Returns an event about an API key. */
export function keyEvent(type: EventType, key: ApiKey, changes: JsonChange[] | null = null): NewEvent {
  const { id, teamId, name, prefix } = key;
  return { type, teamId, resource: { type: 'api_key', id, name }, changes, data: { prefix } };
}

/** Returns the changes of what a caller can write. */
export function changesOfKey(before: ApiKey, after: ApiKey): JsonChange[] {
  const written = ({ name, scopes, expiresAt }: ApiKey): object => ({
    name,
    scopes,
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  return jsonChanges(written(before), written(after));
}
