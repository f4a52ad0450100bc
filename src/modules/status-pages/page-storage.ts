import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type PlacedComponent } from './page-components.js';
import { StatusPageComponent } from './status-page-component.entity.js';

/** Returns the columns of components, whose positions are those in the array. */
export const columnsOf = (components: readonly PlacedComponent[]) =>
  components.map(({ group, ...rest }, position) => ({ ...rest, groupName: group, position }));

/** Returns whether a page already has exactly these components in this order. */
export function isPlaced(components: readonly PlacedComponent[], stored: readonly StatusPageComponent[]): boolean {
  const rows = new Map(stored.map((row) => [row.id, row]));
  if (rows.size !== components.length) return false;
  return columnsOf(components).every((columns) => rows.has(columns.id) && leavesAsIs(rows.get(columns.id)!, columns));
}

/** Stores the components of a page in their order. */
export async function insertComponents(
  tx: Tx,
  teamId: TeamId,
  statusPageId: string,
  components: PlacedComponent[],
): Promise<void> {
  const rows = columnsOf(components).map((columns) => ({ ...columns, statusPageId, teamId }));
  // The foreign keys lock monitors, so the rows are inserted in the common order of locks.
  rows.sort((a, b) => (a.monitorId < b.monitorId ? -1 : 1));
  if (rows.length > 0) await managerOf(tx).insert(StatusPageComponent, rows);
}
