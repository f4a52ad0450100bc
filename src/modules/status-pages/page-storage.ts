import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/principal.js';
import { type PlacedComponent } from './page-components.js';
import { StatusPageComponent } from './status-page-component.entity.js';

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
