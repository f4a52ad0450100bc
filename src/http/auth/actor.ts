import { AsyncLocalStorage } from 'node:async_hooks';
import { type EdgeRequest } from '../edge-request.js';

/** Who caused a change, as the log of events records it. */
export interface Actor {
  type: 'api_key' | 'person' | 'ping_key' | 'system';
  /** The id of the key or of the person; null for the service itself. */
  id: string | null;
  /** The name at the time of the change. */
  name: string | null;
  /** The request that made the change; null for the service itself. */
  requestId: string | null;
}

/** The service itself: what follows from checks, schedules and expiries. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null, name: null, requestId: null };

const requests = new AsyncLocalStorage<EdgeRequest>();

/** Those who act without being the author of the request. */
const others = new AsyncLocalStorage<Actor>();

/** Reads change nothing, so they have no actor. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Makes the request known to everything that runs on its behalf. */
export function actingRequest(request: EdgeRequest, _: unknown, next: () => void): void {
  if (READS.has(request.method)) next();
  else requests.run(request, next);
}

/** Runs `work` on behalf of somebody other than the author of the request, such as a link in a message. */
export function actingAs<T>(actor: Omit<Actor, 'requestId'>, work: () => Promise<T>): Promise<T> {
  return continuingAs({ ...actor, requestId: requests.getStore()?.requestId ?? null }, work);
}

/** Runs `work` on behalf of the actor of an earlier request, whatever request is being served. */
export function continuingAs<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
  return others.run(actor, work);
}

/**
 * Returns who acts: the API key or the person of the request on whose behalf this code runs, otherwise the service
 * itself. Kept beside the call stack and not passed along, because every write would have to pass it to the log, and
 * one that forgot to would be recorded under the wrong name.
 */
export function currentActor(): Actor {
  const other = others.getStore();
  if (other) return other;
  const request = requests.getStore();
  const requestId = request?.requestId ?? null;
  if (request?.person) return personActor(request.person.userId, request.person.name);
  if (request?.principal) {
    return { type: 'api_key', id: request.principal.keyId, name: request.principal.name, requestId };
  }
  return { ...SYSTEM_ACTOR, requestId };
}

/** Returns a person as the author of what the current request does, also if they are not signed in yet. */
export function personActor(id: string, name: string | null): Actor {
  return { type: 'person', id, name, requestId: requests.getStore()?.requestId ?? null };
}
