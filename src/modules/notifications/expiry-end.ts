import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type AlertHistory, type EndAtMonitor, endOfAll, type LoggedEvent } from './alert-history.js';

type End = AlertHistory['end'];

/**
 * Returns when and why nobody needs to hear of a certificate any more: a shorter threshold is reached, it has expired,
 * or no monitor sees it, because it was renewed, or because the monitors have other targets, are paused or deleted.
 * Null until then.
 */
export function endOfCertificate(tx: Tx, teamId: TeamId, event: LoggedEvent): Promise<End> {
  return endOf(tx, event, OF_CERTIFICATE, [teamId, event.resourceId]);
}

/** Like {@link endOfCertificate}, of the registration of a domain. */
export function endOfDomain(tx: Tx, teamId: TeamId, event: LoggedEvent): Promise<End> {
  return endOf(tx, event, OF_DOMAIN, [teamId, event.resourceId, event.data.expiresAt]);
}

/** How to find what expires, and whether a monitor sees it. The first two parameters are the monitors and the threshold. */
interface Source {
  /** Selects `until` and `raised_days`. */
  known: string;
  /** The table of what monitors see, as `r`. */
  readings: string;
  isIt: string;
  /** Whether an event, as `e`, is about it. */
  isEvent: string;
}

const OF_CERTIFICATE: Source = {
  known: 'SELECT valid_until AS until, raised_days FROM certificates WHERE team_id = $3 AND fingerprint = $4',
  readings: 'monitor_certificates',
  isIt: 'r.fingerprint = $4',
  isEvent: `e.type = 'certificate.expiring'`,
};
const OF_DOMAIN: Source = {
  known: `SELECT expires_at AS until, min(raised_days) AS raised_days FROM domain_registrations
    WHERE team_id = $3 AND domain = $4 AND expires_at = $5 GROUP BY expires_at`,
  readings: 'domain_registrations',
  isIt: 'r.domain = $4 AND r.expires_at = $5',
  isEvent: `e.type = 'domain.expiring' AND (e.data ->> 'expiresAt')::timestamptz = $5`,
};

interface WatchingMonitor extends EndAtMonitor {
  /** When a shorter threshold was reached, or the expiry, for all monitors; null if neither has been. */
  over_at: Date | null;
  /** Whether a shorter threshold was reported, for all monitors. */
  is_replaced: boolean;
  is_seen: boolean;
}

async function endOf(tx: Tx, event: LoggedEvent, source: Source, identity: readonly unknown[]): Promise<End> {
  const { recordedAt, data } = event;
  const rows: WatchingMonitor[] = await managerOf(tx).query(
    `WITH known AS (${source.known})
     SELECT (SELECT until - CASE WHEN raised_days < $2 THEN raised_days ELSE 0 END * interval '1 day'
         FROM known WHERE raised_days < $2 OR until <= now()) AS over_at,
       EXISTS (SELECT FROM events e WHERE e.team_id = $3 AND e.resource_id = $4 AND ${source.isEvent}
         AND (e.data ->> 'thresholdDays')::int < $2) AS is_replaced,
       m.paused_at IS NULL AND coalesce(${source.isIt}, false) AS is_seen,
       CASE WHEN m.id IS NULL THEN 'deleted' WHEN m.paused_at IS NULL THEN 'resolved' ELSE 'paused' END AS how,
       coalesce(m.paused_at, r.read_at) AS at
     FROM jsonb_array_elements_text($1::jsonb) AS t (id) LEFT JOIN monitors m ON m.id = t.id::uuid
     LEFT JOIN ${source.readings} r ON r.monitor_id = m.id`,
    [JSON.stringify(data.monitorIds), data.thresholdDays, ...identity],
  );
  const [first] = rows;
  const isSeen = rows.some((row) => row.is_seen);
  const over: End = first?.over_at ? { at: Math.max(recordedAt + 1, first.over_at.getTime()), how: 'resolved' } : null;
  const end = over ?? (isSeen ? null : endOfAll(event, rows));
  return end && first?.is_replaced ? { ...end, isReplaced: true } : end;
}
