import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type BulkSelection } from './bulk-request.js';

/** A selected monitor by its id, or an address without a monitor, which has no name. */
export interface BulkTarget {
  address: string;
  name: string | null;
}

/** Finds the monitors that a request selects. */
@Injectable()
export class BulkSelectionService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly selection: MonitorSelectionService,
  ) {}

  /** Returns the selected monitors of the team by ascending id, each once, followed by addresses without a monitor. */
  async targets(teamId: TeamId, select: BulkSelection): Promise<BulkTarget[]> {
    if (!('ids' in select)) return this.named(teamId, await this.matching(teamId, select));
    const found = await this.monitors.resolve(teamId, select.ids);
    const names = new Map([...found.values()].map(({ id, name }) => [id, name]));
    const missing = new Set(select.ids.filter((address) => !found.has(address)));
    const known = [...names].map(([address, name]) => ({ address, name }));
    return [...byAddress(known), ...[...missing].map((address) => ({ address, name: null }))];
  }

  private matching(teamId: TeamId, select: Exclude<BulkSelection, { ids: string[] }>): Promise<string[]> {
    if ('tags' in select) return this.selection.members(teamId, { monitorIds: [], tags: select.tags });
    return this.monitors.matching(teamId, 'filter' in select ? select.filter : {});
  }

  private async named(teamId: TeamId, ids: readonly string[]): Promise<BulkTarget[]> {
    if (ids.length === 0) return [];
    const monitors = await this.selection.filtered(teamId, { ids, tags: [] }, ids.length);
    return byAddress(monitors.map(({ id, name }) => ({ address: id, name })));
  }
}

/** Sorts ids like the database does. */
function byAddress(targets: BulkTarget[]): BulkTarget[] {
  return targets.sort((a, b) => (a.address < b.address ? -1 : 1));
}
