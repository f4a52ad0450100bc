import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type AlertHistory, type LoggedEvent } from './alert-history.js';

/**
 * Returns when and why nobody needs to hear of a certificate any more: a shorter threshold is reached, it has expired,
 * or no monitor sees it, because it was renewed, or because the monitors have other targets, are paused or deleted.
 * Null until then.
 */
export async function endOfCertificate(tx: Tx, teamId: TeamId, event: LoggedEvent): Promise<AlertHistory['end']> {
  const { resourceId: fingerprint, recordedAt, data } = event;
  const [later]: { at: Date }[] = await managerOf(tx).query(
    `SELECT valid_until - CASE WHEN raised_days < $3 THEN raised_days ELSE 0 END * interval '1 day' AS at
     FROM certificates WHERE team_id = $1 AND fingerprint = $2 AND (raised_days < $3 OR valid_until <= now())`,
    [teamId, fingerprint, data.thresholdDays],
  );
  if (later) return { at: Math.max(recordedAt + 1, later.at.getTime()), how: 'resolved' };
  const rows: { is_seen: boolean; how: 'resolved' | 'paused' | 'deleted'; at: Date | null }[] = await managerOf(
    tx,
  ).query(
    `SELECT m.paused_at IS NULL AND c.fingerprint IS NOT DISTINCT FROM $2 AS is_seen,
       CASE WHEN m.id IS NULL THEN 'deleted' WHEN m.paused_at IS NULL THEN 'resolved' ELSE 'paused' END AS how,
       coalesce(m.paused_at, c.read_at) AS at
     FROM jsonb_array_elements_text($1::jsonb) AS t (id) LEFT JOIN monitors m ON m.id = t.id::uuid
     LEFT JOIN monitor_certificates c ON c.monitor_id = m.id`,
    [JSON.stringify(data.monitorIds), fingerprint],
  );
  if (rows.some((row) => row.is_seen)) return null;
  const at = Math.max(recordedAt + 1, ...rows.map((row) => row.at?.getTime() ?? 0));
  return {
    at,
    how: (['resolved', 'paused'] as const).find((how) => rows.some((row) => row.how === how)) ?? 'deleted',
  };
}
