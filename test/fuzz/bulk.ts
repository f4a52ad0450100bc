import { type Reading } from './reading.js';
import { type Json, type World } from './world.js';

/** The action on many monitors. */
export const BULK = '/v1/monitors/bulk';
export const MONITORS = '/v1/monitors';
const OPERATIONS = '/v1/operations';

/** Records which monitors an action selects by id, which its results repeat. Must be called before it is sent. */
export function noteSelected(world: World, { operation, body, credentials }: Reading): void {
  if (operation?.template !== BULK || body.is !== 'json' || credentials.is !== 'known') return;
  world.marks.tell(credentials.secret.item.team, JSON.stringify(body.value));
}

/** Updates the model by the response to an action on many monitors. */
export function learnBulk(world: World, { body, credentials }: Reading, { results, ...operation }: Json): void {
  if (body.is !== 'json' || credentials.is !== 'known') return;
  const { team } = credentials.secret.item;
  world.add(OPERATIONS, team, operation);
  const deletes = (body.value as Json).action === 'delete';
  // An unfinished operation writes monitors later.
  const unsure = Array.isArray(results) ? [] : world.of(MONITORS, team);
  for (const item of unsure) Object.assign(item, deletes ? { life: 'unsure' } : { muddled: true });
  for (const { monitorId, status } of (results ?? []) as Json[]) {
    const item = world.items.get(String(monitorId));
    if (item && status === 'succeeded') Object.assign(item, deletes ? { life: 'gone' } : { muddled: true });
  }
}
