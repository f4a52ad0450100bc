import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';
import { parentIncidentOf, type ParentIncident } from '../../domain/incident-parent.js';
import { MonitorDependenciesService } from '../monitors/definition/monitor-dependencies.service.js';

interface IncidentRecord {
  id: string;
  monitor_id: string;
  started_at: Date;
  resolved_at: Date | null;
  parent_incident_id: string | null;
}

/** Groups incidents under those of parent monitors. */
@Injectable()
export class IncidentGroupsService {
  constructor(private readonly dependencies: MonitorDependenciesService) {}

  /**
   * Redetermines the parent of each incident of these monitors and their children that is open or was resolved since
   * `sinceMs`. The caller must ensure that no other transaction does this for the team at the same time.
   */
  async regroup(tx: Tx, monitorIds: readonly string[], sinceMs: number): Promise<void> {
    const { children } = await this.dependencies.around(tx, monitorIds);
    const affected = [...new Set([...monitorIds, ...[...children.values()].flat()])];
    const { parents } = await this.dependencies.around(tx, affected);
    if (parents.size === 0) return;

    const own = await this.incidentsOf(tx, [...parents.keys()], sinceMs);
    if (own.length === 0) return;
    const parentIds = [...new Set([...parents.values()].flat())];
    // An incident of a parent that ended long ago may have been open when a long incident of a child began.
    const fromMs = Math.min(...own.map((one) => one.started_at.getTime()));
    const above = await this.incidentsOf(tx, parentIds, fromMs);
    const seenWithinMs = await this.dependencies.seenWithinMs(tx, parentIds);
    const candidates = new Map<string, ParentIncident[]>();
    for (const row of above) {
      const incident = {
        id: row.id,
        startedAt: row.started_at.getTime(),
        resolvedAt: row.resolved_at?.getTime() ?? null,
        seenWithinMs: seenWithinMs.get(row.monitor_id) ?? 0,
      };
      candidates.set(row.monitor_id, [...(candidates.get(row.monitor_id) ?? []), incident]);
    }
    const moved = own.flatMap((row) => {
      const open = (parents.get(row.monitor_id) ?? []).flatMap((id) => candidates.get(id) ?? []);
      const parentId = parentIncidentOf(row.started_at.getTime(), open)?.id ?? null;
      return parentId === row.parent_incident_id ? [] : [{ id: row.id, parentId }];
    });
    if (moved.length === 0) return;
    await managerOf(tx).query(
      `UPDATE incidents i SET parent_incident_id = t.parent_id
       FROM unnest($1::uuid[], $2::uuid[]) AS t (id, parent_id) WHERE i.id = t.id`,
      [moved.map(({ id }) => id), moved.map(({ parentId }) => parentId)],
    );
  }

  private async incidentsOf(tx: Tx, monitorIds: readonly string[], sinceMs: number): Promise<IncidentRecord[]> {
    return managerOf(tx).query(
      `SELECT i.id, im.monitor_id, i.started_at, i.resolved_at, i.parent_incident_id
       FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
       WHERE im.monitor_id = ANY($1::uuid[]) AND i.kind = 'detected' AND (i.resolved_at IS NULL OR i.resolved_at >= $2)
       ORDER BY i.id`,
      [monitorIds, new Date(sinceMs)],
    );
  }
}
