import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../../database/tx.js';
import { itemAddress } from '../../../http/items/item-address.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type FieldError, validationFailed } from '../../../http/problems/problem.js';

/** Direct dependencies by monitor id, in ascending order. Monitors without any are omitted. */
export interface Dependencies {
  /** What each child depends on. */
  parents: Map<string, string[]>;
  /** What depends on each parent. */
  children: Map<string, string[]>;
}

interface DependencyRecord {
  id: string;
  parent_ids: string[];
}

/** Owns the dependencies between monitors. They never form a cycle, cross teams, or refer to a deleted monitor. */
@Injectable()
export class MonitorDependenciesService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the direct parents and children of these monitors. The caller has verified that the team owns them. */
  async around(tx: Tx, ids: readonly string[]): Promise<Dependencies> {
    // Two reads, each by its own index: for both conditions in one, all monitors would be read.
    const rows: DependencyRecord[] = await managerOf(tx).query(
      `SELECT id, parent_ids FROM monitors WHERE id = ANY($1::uuid[]) AND parent_ids <> '{}'
       UNION SELECT id, parent_ids FROM monitors WHERE parent_ids && $1::uuid[] ORDER BY id`,
      [ids],
    );
    const asked = new Set(ids);
    const dependencies: Dependencies = { parents: new Map(), children: new Map() };
    for (const { id, parent_ids: parents } of rows) {
      if (asked.has(id)) dependencies.parents.set(id, [...parents].sort());
      for (const parent of parents.filter((one) => asked.has(one))) {
        dependencies.children.set(parent, [...(dependencies.children.get(parent) ?? []), id]);
      }
    }
    return dependencies;
  }

  /** Returns how long each of these monitors may take to notice a failure, in milliseconds: interval plus timeout. */
  async seenWithinMs(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
    const rows: { id: string; seen_within_ms: number }[] = await managerOf(tx).query(
      'SELECT id, interval_seconds * 1000 + timeout_ms AS seen_within_ms FROM monitors WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.seen_within_ms]));
  }

  /**
   * Returns the ids of the monitors at `addresses`, to be stored in this transaction as the parents of `childId`
   * (`null` for a monitor that is being created). Until the end of the transaction, no other transaction can delete
   * them or change their parents.
   * @throws 422 by pointer for an address without a monitor of the team, a duplicate, or a cycle
   */
  async resolve(tx: Tx, teamId: TeamId, addresses: readonly string[], childId: string | null): Promise<string[]> {
    if (addresses.length === 0) return [];
    // Without the lock, two concurrent writers could together create a cycle that neither of them sees.
    await managerOf(tx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`monitor-parents/${teamId}`]);
    const found = await this.lockNamed(tx, teamId, addresses);
    const circular = await this.above(tx, [...found.values()], childId);
    const ids = new Set<string>();
    const errors = addresses.flatMap((address, index): FieldError[] => {
      const pointer = `/parentIds/${index}`;
      const id = found.get(address);
      if (id === undefined) return [{ pointer, code: 'invalid_value', detail: 'There is no such monitor.' }];
      if (ids.has(id)) return [{ pointer, code: 'duplicate', detail: 'This monitor is listed twice.' }];
      ids.add(id);
      if (!circular.has(id)) return [];
      const detail =
        id === childId
          ? 'A monitor cannot depend on itself.'
          : 'This would create a cycle: this monitor already depends on the monitor that is being saved.';
      return [{ pointer, code: 'invalid_value', detail }];
    });
    if (errors.length > 0) throw validationFailed(errors);
    return [...ids];
  }

  /** Removes monitors from the parents of their children. Call it just before deleting them in the same transaction. */
  async release(tx: Tx, ids: readonly string[]): Promise<void> {
    const manager = managerOf(tx);
    // First, because a transaction that makes one of them a parent holds a lock on it: wait until its write is visible.
    await manager.query('SELECT 1 FROM monitors WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [ids]);
    await manager.query(
      `WITH children AS (
         SELECT id FROM monitors WHERE parent_ids && $1::uuid[] ORDER BY id FOR NO KEY UPDATE
       )
       UPDATE monitors m SET parent_ids = ARRAY(
         SELECT parent FROM unnest(m.parent_ids) WITH ORDINALITY AS kept (parent, place)
         WHERE parent <> ALL($1::uuid[]) ORDER BY place
       ) FROM children WHERE m.id = children.id`,
      [ids],
    );
  }

  /** Returns the address of each of these monitors of the team: `key:<key>` if it has a key, else its id. */
  async addresses(teamId: TeamId, ids: readonly string[], tx?: Tx): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows: { id: string; key: string | null }[] = await (tx ? managerOf(tx) : this.dataSource).query(
      'SELECT id, key FROM monitors WHERE team_id = $1 AND id = ANY($2::uuid[])',
      [teamId, ids],
    );
    return new Map(rows.map(({ id, key }) => [id, key === null ? id : `key:${key}`]));
  }

  /** Returns the ids of existing monitors by address. They cannot be deleted until the transaction ends. */
  private async lockNamed(tx: Tx, teamId: TeamId, addresses: readonly string[]): Promise<Map<string, string>> {
    const items = addresses.map((address) => ({ address, item: itemAddress(address) }));
    const rows: { id: string; key: string | null }[] = await managerOf(tx).query(
      `SELECT id, key FROM monitors WHERE team_id = $1 AND (id = ANY($2::uuid[]) OR key = ANY($3::text[]))
       ORDER BY id FOR KEY SHARE`,
      [
        teamId,
        items.flatMap(({ item }) => (item && 'id' in item ? [item.id] : [])),
        items.flatMap(({ item }) => (item && 'key' in item ? [item.key] : [])),
      ],
    );
    return new Map(
      items.flatMap(({ address, item }) => {
        const row = item && rows.find(({ id, key }) => ('id' in item ? id === item.id : key === item.key));
        return row ? [[address, row.id] as const] : [];
      }),
    );
  }

  /** Returns those of `parents` that are the child itself or depend on it, directly or indirectly. */
  private async above(tx: Tx, parents: readonly string[], childId: string | null): Promise<Set<string>> {
    if (childId === null) return new Set();
    const rows: { parent: string }[] = await managerOf(tx).query(
      `WITH RECURSIVE above (parent, id) AS (
         SELECT parent, parent FROM unnest($1::uuid[]) AS parent
         UNION
         SELECT a.parent, up FROM above a JOIN monitors m ON m.id = a.id CROSS JOIN unnest(m.parent_ids) AS up
       ) SELECT DISTINCT parent FROM above WHERE id = $2`,
      [parents, childId],
    );
    return new Set(rows.map(({ parent }) => parent));
  }
}
