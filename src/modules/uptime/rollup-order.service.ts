import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dateOf } from '../../domain/utc-day.js';
import { SLICES, turnOf } from './rollup-turn.js';

/** Monitors of one transaction: some 700 rows, which are held for tens of milliseconds. */
const BATCH = 100;

/** By bits of the hash that every version of an id's text has: which slice it is matters to nobody. */
const SLICE = `SELECT id FROM monitors WHERE (hashtext(id::text) & 65535) % ${SLICES} = $1 ORDER BY id`;

/**
 * Rows of one monitor that lie on more pages than they have to (with the room that the table's fillfactor leaves) are
 * deleted and inserted again, in order; those that lie together are left.
 *
 * It waits for nobody, so it can be part of no deadlock: rows that somebody else holds stay where they are, and so do those
 * of monitors that are being deleted, whose deletion would wait for the rows while the foreign key waits for the monitor.
 * A row that was changed since the statement began is no longer at the place that it saw, and stays as well.
 */
const GATHER = `
WITH apart AS (
  SELECT monitor_id FROM daily_rollups r WHERE monitor_id = ANY($1::uuid[]) AND day >= $2 AND day < $3
  GROUP BY monitor_id HAVING count(DISTINCT (ctid::text::point)[0]) > 3 + sum(pg_column_size(r.*)) / 4096
), kept AS (
  SELECT id FROM monitors WHERE id = ANY(ARRAY(SELECT monitor_id FROM apart)) ORDER BY id FOR KEY SHARE SKIP LOCKED
), held AS (
  SELECT r.ctid AS place FROM daily_rollups r
  WHERE monitor_id = ANY(ARRAY(SELECT id FROM kept)) AND day >= $2 AND day < $3 FOR UPDATE SKIP LOCKED
), moved AS (
  DELETE FROM daily_rollups WHERE ctid = ANY(ARRAY(SELECT place FROM held)) RETURNING *
)
INSERT INTO daily_rollups SELECT * FROM moved ORDER BY monitor_id, location, day`;

/**
 * Roll-ups are written day by day, so that those of one monitor lie on as many pages as it has days. This brings what no
 * longer changes together: whoever reads the months of a monitor then reads a fifth of the pages or fewer.
 */
@Injectable()
export class RollupOrderService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Gathers the roll-ups whose turn it is in the hour of `nowMs`, unless they are already. It changes no figures, whatever
   * else is written or gathered meanwhile. `mayGoOn` is asked before each batch; says whether the turn was finished.
   */
  async gather(nowMs: number, mayGoOn: () => boolean = () => true): Promise<boolean> {
    const { slice, fromMs, toMs } = turnOf(nowMs);
    const monitors: { id: string }[] = await this.dataSource.query(SLICE, [slice]);
    const ids = monitors.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += BATCH) {
      if (!mayGoOn()) return false;
      await this.dataSource.query(GATHER, [ids.slice(from, from + BATCH), dateOf(fromMs), dateOf(toMs)]);
    }
    return true;
  }
}
