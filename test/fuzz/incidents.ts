import { type TeamName } from './marks.js';
import { type Json, type World } from './world.js';

const KIND = '/v1/incidents';

/** Members of a detected incident that checks change, without a new revision. */
const DECIDED_BY_CHECKS: ReadonlySet<string> = new Set([
  'parentIncidentId',
  'startedAt',
  'confirmedAt',
  'resolvedAt',
  'durationSeconds',
  'outageCount',
  'cause',
  'updatedAt',
]);

function isDetected(kind: string, body: Json): boolean {
  return kind === KIND && body.kind === 'detected';
}

/** Returns whether checks may change this member of an item. */
export function isDecidedByChecks(kind: string, body: Json, name: string): boolean {
  return isDetected(kind, body) && DECIDED_BY_CHECKS.has(name);
}

/** Returns whether checks may have created an unknown item: a detected incident with only monitors of its team. */
export function isFoundByChecks(world: World, kind: string, team: TeamName, body: Json): boolean {
  if (!isDetected(kind, body) || body.revision !== 1) return false;
  const monitors = (body.monitorIds as string[]).map((id) => world.items.get(id));
  return monitors.every((one) => one?.kind === '/v1/monitors' && one.team === team);
}
