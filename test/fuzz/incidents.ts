import { type TeamName } from './marks.js';
import { type Json, type World } from './world.js';

const KIND = '/v1/incidents';

/** The operation that starts a drill, which is an incident, although its path names a monitor. */
export const DRILL = '/v1/monitors/{id}/drill';

/** Returns the collection of the item that an operation returns, if its path names another one; else null. */
export function madeElsewhere(template: string): string | null {
  return template === DRILL ? KIND : null;
}

/** Members of a drill that change when it ends by itself. */
const DECIDED_BY_TIME: ReadonlySet<string> = new Set(['resolvedAt', 'endsAt', 'durationSeconds', 'updatedAt']);

/** Members of a detected incident that checks change, without a new revision. */
const DECIDED_BY_CHECKS: ReadonlySet<string> = new Set([
  'parentIncidentId',
  'startedAt',
  'confirmedAt',
  'resolvedAt',
  'durationSeconds',
  'outageCount',
  'cause',
  'locations',
  'updatedAt',
]);

function isDetected(kind: string, body: Json): boolean {
  return kind === KIND && body.kind === 'detected';
}

/** Returns whether checks, or the end of a drill, may change this member of an item. */
export function isDecidedByChecks(kind: string, body: Json, name: string): boolean {
  if (kind === KIND && body.kind === 'drill') return DECIDED_BY_TIME.has(name);
  return isDetected(kind, body) && DECIDED_BY_CHECKS.has(name);
}

/** Returns whether checks may have created an unknown item: a detected incident with only monitors of its team. */
export function isFoundByChecks(world: World, kind: string, team: TeamName, body: Json): boolean {
  if (!isDetected(kind, body) || body.revision !== 1) return false;
  const monitors = (body.monitorIds as string[]).map((id) => world.items.get(id));
  return monitors.every((one) => one?.kind === '/v1/monitors' && one.team === team);
}
