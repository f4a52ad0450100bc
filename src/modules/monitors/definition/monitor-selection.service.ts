import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type FieldError, validationFailed } from '../../../http/problems/problem.js';
import { type MonitorSelectionDto } from '../dto/monitor-selection.dto.js';
import { MonitorsService } from '../monitors.service.js';

/** A resolved selection: monitor ids without duplicates, in the order in which they were sent, and tags. */
export interface MonitorSelection {
  monitorIds: string[];
  tags: string[];
}

/** A monitor with its key and name. */
export interface NamedMonitor {
  id: string;
  key: string | null;
  name: string;
}

/** Finds the monitors that a selection matches. */
@Injectable()
export class MonitorSelectionService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Resolves the addresses of a selection to ids.
   * @throws 422 by pointer for an address without a monitor of the team, a duplicate, or an empty selection
   */
  async resolve(teamId: TeamId, { monitorIds, tags }: MonitorSelectionDto): Promise<MonitorSelection> {
    const addresses = monitorIds ?? [];
    if (addresses.length === 0 && !tags?.length) {
      const detail = 'Select at least one monitor or tag.';
      throw validationFailed([{ pointer: '/monitorIds', code: 'required', detail }]);
    }
    const found = await this.monitors.resolve(teamId, addresses);
    const ids = new Set<string>();
    const errors = addresses.flatMap((address, index): FieldError[] => {
      const pointer = `/monitorIds/${index}`;
      const monitor = found.get(address);
      if (!monitor) return [{ pointer, code: 'invalid_value', detail: 'There is no such monitor.' }];
      if (ids.has(monitor.id)) return [{ pointer, code: 'duplicate', detail: 'This monitor is listed twice.' }];
      ids.add(monitor.id);
      return [];
    });
    if (errors.length > 0) throw validationFailed(errors);
    return { monitorIds: [...ids], tags: tags ?? [] };
  }

  /** Returns the ids of the existing monitors of the team that a selection currently matches, in ascending order. */
  async members(teamId: TeamId, { monitorIds, tags }: MonitorSelection, tx?: Tx): Promise<string[]> {
    const rows: { id: string }[] = await (tx ? managerOf(tx) : this.dataSource).query(
      'SELECT id FROM monitors WHERE team_id = $1 AND (id = ANY($2::uuid[]) OR tags && $3::text[]) ORDER BY id',
      [teamId, monitorIds, tags],
    );
    return rows.map((row) => row.id);
  }

  /**
   * Returns the monitors of the team that have all of the tags, ordered by name, at most `limit` of them. `ids`
   * restricts the result to these monitors; `null` does not.
   */
  async filtered(
    teamId: TeamId,
    { ids, tags }: { ids: readonly string[] | null; tags: readonly string[] },
    limit: number,
  ): Promise<NamedMonitor[]> {
    return this.dataSource.query(
      `SELECT id, key, name FROM monitors
       WHERE team_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2)) AND tags @> $3::text[] ORDER BY name, id LIMIT $4`,
      [teamId, ids, tags, limit],
    );
  }
}
