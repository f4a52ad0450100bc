import { type JsonChange, jsonChanges } from '../../domain/json-changes.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type MaintenanceWindow } from './maintenance-window.entity.js';
import { toDefinitionDto } from './maintenance-window.mapper.js';

/** Returns an event about a maintenance window. */
export function windowEvent(
  type: EventType,
  { id, teamId, key, name }: MaintenanceWindow,
  changes: JsonChange[] | null = null,
): NewEvent {
  return { type, teamId, resource: { type: 'maintenance_window', id, key, name }, changes };
}

/** Returns the changes of what a caller can write. Monitors are listed by id. */
export function changesOfWindow(before: MaintenanceWindow, after: MaintenanceWindow): JsonChange[] {
  const written = (window: MaintenanceWindow): object =>
    toDefinitionDto(window, new Map(window.monitorIds.map((id) => [id, id])));
  return jsonChanges(written(before), written(after));
}
