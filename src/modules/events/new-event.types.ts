import { type JsonChange } from '../../domain/json-changes.js';
import { type Actor } from '../../http/auth/actor.js';
import { type EventType, type ResourceType } from './event.types.js';

/** The resource that an event is about, as it was then. */
export interface EventResource {
  type: ResourceType;
  id: string;
  key?: string | null;
  name?: string | null;
}

/** An event to record. */
export interface NewEvent {
  /** A new UUIDv7, for callers that refer to the event; by default, it gets one of its own. */
  id?: string;
  type: EventType;
  teamId: string;
  resource: EventResource;
  /** What changed in the definition of the resource, without secrets. */
  changes?: JsonChange[] | null;
  /** Further facts, which depend on the type. */
  data?: Record<string, unknown>;
  /** When it happened, epoch milliseconds, if not now. */
  occurredAtMs?: number;
  /** Who caused it, if not the caller of the current request. */
  actor?: Actor;
}
