import { setTimeout as delay } from 'node:timers/promises';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/principal.js';
import { ProblemException } from '../../http/problem.js';
import { type PlacedComponent } from './page-components.js';
import { StatusPageComponent } from './status-page-component.entity.js';

/** How often a write starts over because another one, or the deletion of a monitor, came in between. */
const ATTEMPTS = 20;

/** Stores the components of a page in their order. */
export async function insertComponents(
  tx: Tx,
  teamId: TeamId,
  statusPageId: string,
  components: PlacedComponent[],
): Promise<void> {
  const rows = components.map(({ group, ...rest }, position) => ({
    ...rest,
    groupName: group,
    position,
    statusPageId,
    teamId,
  }));
  // Their foreign keys lock monitors: in the one order in which everybody locks them.
  rows.sort((a, b) => (a.monitorId < b.monitorId ? -1 : 1));
  if (rows.length > 0) await managerOf(tx).insert(StatusPageComponent, rows);
}

/** Judges and writes again while that gives `null`: what was judged has changed before it was written. @throws 409 where that never ends */
export async function untilWritten<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const written = await attempt();
    if (written !== null) return written;
    await delay(Math.random() * 20 * (count + 1));
  }
  throw new ProblemException(409, 'conflict', 'The status page is being written by too many at once; try again.');
}

/** Whether an error says that a row which was referred to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { driverError } = error as { driverError?: { code?: string } };
  return driverError?.code === '23503';
}
