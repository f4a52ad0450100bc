import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../../database/tx.js';

/** Records that no checks are made from a location from now on, because it was disabled. */
export async function beginDisabled(tx: Tx, location: string, nowMs: number): Promise<void> {
  await managerOf(tx).query(
    `INSERT INTO spans (id, location, kind, starts_at, reason) VALUES ($1, $2, 'absence', $3, 'disabled')`,
    [uuidv7(), location, new Date(nowMs)],
  );
}

/** Records that checks are made from a location again. */
export async function endDisabled(tx: Tx, location: string, nowMs: number): Promise<void> {
  await managerOf(tx).query(
    `UPDATE spans SET ends_at = $2
     WHERE monitor_id IS NULL AND location = $1 AND reason = 'disabled' AND ends_at IS NULL`,
    [location, new Date(nowMs)],
  );
}
