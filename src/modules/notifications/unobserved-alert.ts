import { managerOf, type Tx } from '../../database/tx.js';
import { DISAGREES, NO_RESULTS, NO_WORKER, OWN_NETWORK } from '../../domain/unobserved.js';
import { type AlertHistory, blank, type LoggedEvent } from './alert-history.js';

/** Monitors that an alert names at most. An outage of this size is our own, and concerns all of them. */
const MAX_MONITORS = 1_000;

/** The monitors that are not observed for one cause. Times are epoch milliseconds. */
export interface UnobservedMonitors {
  /** All that have ever been in the group, in the order in which they joined it. */
  monitorIds: string[];
  count: number;
  since: number;
  /** When and how the last of them left the group; `null` until then. */
  end: AlertHistory['end'];
}

/** Returns whether an interruption of checks is that of our own network, of which `unknown` notifies while it lasts. */
export function isNetworkLoss({ type, data }: LoggedEvent): boolean {
  return type === 'checking.interrupted' && data.reason === OWN_NETWORK;
}

/** Returns whether an interruption of checks is that of one location, of which `location_offline` notifies while it lasts. */
export function isLocationLoss({ type, data }: LoggedEvent): boolean {
  return type === 'checking.interrupted' && (data.reason === NO_WORKER || data.reason === DISAGREES);
}

/** Returns the monitors of the group that an event has opened; `null` if it has been over for so long that it was deleted. */
export async function unobservedGroup(tx: Tx, { id, recordedAt }: LoggedEvent): Promise<UnobservedMonitors | null> {
  const [row]: GroupRecord[] = await managerOf(tx).query(
    `SELECT count(*)::int AS count, min(unobserved_since) AS since,
       (array_agg(monitor_id ORDER BY joined_at, monitor_id))[1:${MAX_MONITORS}] AS monitor_ids,
       CASE WHEN bool_and(left_at IS NOT NULL) THEN max(left_at) END AS ended_at,
       bool_or(left_how = 'resolved') AS is_resolved, bool_or(left_how = 'paused') AS is_paused
     FROM unobserved_monitors WHERE group_id = $1 HAVING count(*) > 0`,
    [id],
  );
  if (!row) return null;
  const how = row.is_resolved ? 'resolved' : row.is_paused ? 'paused' : 'deleted';
  return {
    monitorIds: row.monitor_ids,
    count: row.count,
    since: row.since.getTime(),
    end: row.ended_at && { at: Math.max(recordedAt + 1, row.ended_at.getTime()), how },
  };
}

/** Returns the alert of monitors that are not observed. It lasts until none of them is left. */
export function alertOfUnobserved(event: LoggedEvent, group: UnobservedMonitors | null): AlertHistory {
  const alert = blank(event, 'unknown');
  if (!group) return { ...alert, end: { at: event.recordedAt + 1, how: 'resolved' } };
  const { monitorIds, count, since, end } = group;
  const { cause } = alert.subject;
  const details = [
    cause?.errorCode === NO_RESULTS || cause?.errorCode === DISAGREES ? cause.message : '',
    count > monitorIds.length ? `${count} monitors have no data.` : '',
  ];
  return {
    ...alert,
    monitorIds,
    end,
    subject: {
      ...alert.subject,
      title: null,
      startedAt: new Date(since).toISOString(),
      resolvedAt: end && new Date(end.at).toISOString(),
      impact: 'unknown',
      detail: end ? null : details.filter(Boolean).join(' ') || null,
    },
  };
}

interface GroupRecord {
  count: number;
  since: Date;
  monitor_ids: string[];
  ended_at: Date | null;
  is_resolved: boolean | null;
  is_paused: boolean | null;
}
