import { type TeamName } from './marks.js';
import { type Json, type World } from './world.js';

const KIND = '/v1/incidents';

/** What checks decide of an incident that they have found: it changes by itself, and no revision tells. */
const DECIDED_BY_CHECKS: ReadonlySet<string> = new Set([
  ...['parentIncidentId', 'startedAt', 'confirmedAt', 'resolvedAt', 'durationSeconds', 'outageCount', 'cause'],
  'updatedAt',
]);

function isDetected(kind: string, body: Json): boolean {
  return kind === KIND && body.kind === 'detected';
}

/** Whether checks may change this member of an item. */
export function isDecidedByChecks(kind: string, body: Json, name: string): boolean {
  return isDetected(kind, body) && DECIDED_BY_CHECKS.has(name);
}

/** Whether checks may have made an item that nobody was told of: it is about nothing but monitors of its team. */
export function isFoundByChecks(world: World, kind: string, team: TeamName, body: Json): boolean {
  if (!isDetected(kind, body) || body.revision !== 1) return false;
  const monitors = (body.monitorIds as string[]).map((id) => world.items.get(id));
  return monitors.every((one) => one?.kind === '/v1/monitors' && one.team === team);
}
