import { Injectable } from '@nestjs/common';
import { managerOf, type Tx } from '../../database/tx.js';

/** An alert that its receiver would forget, or whose end it may have missed, if it were not repeated. */
export interface DueRefresh {
  /** The notification that opened or ended the alert. */
  id: string;
  /** The notifications that the message contains: all that are open, if it is a storm alert. */
  ids: string[];
  stormKey: string | null;
}

/** Notifications of a storm alert that are repeated with it; the message counts no others. */
const MAX_MEMBERS = 500;
/** How long an end is repeated: as long as an instance of the receiver that missed it would show the alert as open. */
const END_REPEATED_MS = 5 * 60_000;

/** Repeats alerts for receivers that forget what is not repeated (`refreshSeconds` of a channel type), and their ends. */
@Injectable()
export class AlertRefreshes {
  /**
   * Lets an alert be repeated from now on, once it was delivered, and so its end. The later steps of the alert need no
   * repetition of their own.
   */
  async begin(tx: Tx, id: string, atMs: number): Promise<void> {
    await managerOf(tx).query(
      `UPDATE notifications n SET refresh_at = $2 WHERE id = $1 AND kind IN ('trigger', 'resolve', 'correction') AND NOT EXISTS (
         SELECT FROM notifications o WHERE o.alert_key = n.alert_key AND o.channel_id = n.channel_id AND o.kind = n.kind
           AND o.storm_key IS NOT DISTINCT FROM n.storm_key AND o.refresh_at IS NOT NULL)`,
      [id, new Date(atMs)],
    );
  }

  /** Returns the alert of a channel that is due for longest, and forgets those that need no further repetition. */
  async next(tx: Tx, channelId: string, storm: { alertKey: string; open: readonly string[] } | null, nowMs: number) {
    const stormKey = storm?.alertKey ?? null;
    await managerOf(tx).query(
      `UPDATE notifications n SET refresh_at = NULL FROM notification_timers t
       WHERE t.alert_key = n.alert_key AND n.channel_id = $1 AND n.refresh_at <= $2
         AND CASE WHEN n.kind <> 'trigger' THEN n.sent_at <= $4 WHEN n.storm_key IS NULL THEN t.closed_at IS NOT NULL
           ELSE n.storm_key IS DISTINCT FROM $3 END`,
      [channelId, new Date(nowMs), stormKey, new Date(nowMs - END_REPEATED_MS)],
    );
    const [row]: { id: string; kind: string; storm_key: string | null }[] = await managerOf(tx).query(
      `SELECT id, kind, storm_key FROM notifications WHERE channel_id = $1 AND refresh_at <= $2 ORDER BY refresh_at, id LIMIT 1`,
      [channelId, new Date(nowMs)],
    );
    if (!row) return null;
    if (row.kind !== 'trigger' || row.storm_key === null) return { id: row.id, ids: [row.id], stormKey: row.storm_key };
    const members: { id: string }[] = await managerOf(tx).query(
      `SELECT id FROM notifications WHERE channel_id = $1 AND storm_key = $2 AND kind = 'trigger'
         AND alert_key = ANY($3::text[]) ORDER BY due_at, id LIMIT ${MAX_MEMBERS}`,
      [channelId, row.storm_key, storm!.open],
    );
    return { id: row.id, ids: members.map(({ id }) => id), stormKey: row.storm_key };
  }

  /** Returns since when an alert of a channel is due, in epoch milliseconds; null if none is. */
  async dueMs(tx: Tx, channelId: string, nowMs: number): Promise<number | null> {
    const [row]: { at: Date | null }[] = await managerOf(tx).query(
      'SELECT min(refresh_at) AS at FROM notifications WHERE channel_id = $1 AND refresh_at <= $2',
      [channelId, new Date(nowMs)],
    );
    return row!.at?.getTime() ?? null;
  }

  /** Sets when an alert is repeated next. */
  async postpone(tx: Tx, id: string, atMs: number): Promise<void> {
    await managerOf(tx).query('UPDATE notifications SET refresh_at = $2 WHERE id = $1 AND refresh_at IS NOT NULL', [
      id,
      new Date(atMs),
    ]);
  }
}
