import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dateOf } from '../../domain/utc-day.js';
import { SLICES, turnOf } from './rollup-turn.js';

/** Monitors per transaction: about 700 rows, which are locked for tens of milliseconds. */
const BATCH = 100;

/** Selects the monitors of a slice by the hash of their ids. Any even distribution over the slices would do. */
const SLICE = `SELECT id FROM monitors WHERE (hashtext(id::text) & 65535) % ${SLICES} = $1 ORDER BY id`;

/**
 * Deletes rows of a monitor that are on more pages than necessary (considering the table's fillfactor) and inserts them
 * again in order. Rows that are already together are not touched. The statement never waits for a lock, so it cannot be
 * part of a deadlock. It skips rows that are locked, and rows of monitors that are being deleted: that deletion would
 * wait for the rows while the foreign key waits for the monitor. It also skips a row that was changed since the
 * statement began, because that row is no longer at the place it selected.
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
 * Reorders roll-ups that no longer change. Roll-ups are written day by day, so each row of a monitor is on a page of
 * its own. Once they are together, reading months of a monitor takes a fifth of the pages or fewer.
 */
@Injectable()
export class RollupOrderService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Gathers the roll-ups whose turn is in the hour of `nowMs`, unless they already are together. Never changes figures,
   * even with concurrent writes or other processes that gather. Calls `mayGoOn` before each batch, and returns whether
   * the turn was completed.
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
