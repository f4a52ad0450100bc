import { type JsonChange, jsonChanges } from '../../domain/json-changes.js';
import { MASK } from '../../domain/mask.js';
import { type EventType } from '../events/event.types.js';
import { type NewEvent } from '../events/new-event.types.js';
import { type StatusPageDto } from './dto/status-page.dto.js';
import { type StatusPage } from './status-page.entity.js';

/** Returns an event about a status page. */
export function pageEvent(type: EventType, page: StatusPage, changes: JsonChange[] | null = null): NewEvent {
  const { id, teamId, key, name } = page;
  return { type, teamId, resource: { type: 'status_page', id, key, name }, changes };
}

/** Returns the changes of what a caller can write. */
export function changesOfPage(before: StatusPageDto, after: StatusPageDto): JsonChange[] {
  return jsonChanges(written(before), written(after));
}

/** Returns the change of a password, without it. Hashing the same password again counts as a change. */
export function changesOfPassword(before: string | null, after: string | null): JsonChange[] {
  const shown = (hash: string | null): string | null => hash && MASK;
  return before === after ? [] : [{ pointer: '/password', before: shown(before), after: shown(after) }];
}

function written(page: StatusPageDto): Record<string, unknown> {
  const { id, revision, status, publicUrl, createdAt, updatedAt, ...rest } = page;
  return rest;
}
