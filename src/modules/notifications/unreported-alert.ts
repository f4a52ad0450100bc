import { managerOf, type Tx } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { counted } from '../../html/counted.js';
import { type AlertHistory, blank, type EndAtMonitor, endOfAll, listOf, type LoggedEvent } from './alert-history.js';

/** The next notice replaces this one after that time. */
const NEWS_MS = DAY_MS;

/**
 * Returns the notice of heartbeat monitors that have never had a report.
 * @param end when and why nobody needs to be notified of them any more
 */
export function alertOfUnreported(event: LoggedEvent, end: AlertHistory['end']): AlertHistory {
  const alert = blank(event, 'unknown');
  const monitorIds = listOf(event.data.monitorIds);
  const count = Math.max(monitorIds.length, Number(event.data.monitorCount) || 0);
  const wait = count === 1 ? 'The job has' : `${counted(count, 'job')} have`;
  const detail = `${wait} never reported. The page of a monitor shows how.`;
  return {
    ...alert,
    isNotice: true,
    monitorIds,
    end,
    subject: { ...alert.subject, title: null, impact: 'unknown', detail },
  };
}

/** Returns when and why nobody needs to hear of them any more: all of them have reported, or are paused or deleted. */
export async function endOfUnreported(tx: Tx, event: LoggedEvent, nowMs: number): Promise<AlertHistory['end']> {
  const { recordedAt, data } = event;
  if (nowMs >= recordedAt + NEWS_MS) return { at: recordedAt + NEWS_MS, how: 'resolved' };
  const rows: (EndAtMonitor & { is_waiting: boolean })[] = await managerOf(tx).query(
    `SELECT m.paused_at IS NULL AND h.monitor_id IS NOT NULL AND h.last_ping_at IS NULL AS is_waiting,
       CASE WHEN m.id IS NULL THEN 'deleted' WHEN m.paused_at IS NULL THEN 'resolved' ELSE 'paused' END AS how,
       coalesce(m.paused_at, h.last_ping_at) AS at
     FROM jsonb_array_elements_text($1::jsonb) AS t (id) LEFT JOIN monitors m ON m.id = t.id::uuid
     LEFT JOIN heartbeats h ON h.monitor_id = m.id`,
    [JSON.stringify(data.monitorIds)],
  );
  return rows.some((row) => row.is_waiting) ? null : endOfAll(event, rows);
}
