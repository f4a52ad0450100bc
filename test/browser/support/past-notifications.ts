import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../src/domain/durations.js';
import { type StoredAttempt } from '../../../src/modules/notifications/notification.entity.js';
import { type TestApp } from '../../support/app.js';
import { type Content } from './content.js';

interface Subjects {
  detectedId: string;
  incidentId: string;
  resolvedId: string;
  channelId: string;
  policyId: string;
  monitorId: string;
}

/**
 * Records notifications that were sent, failed, wait and were not sent. They belong to alerts that are not planned any
 * more, so that nothing happens to them.
 */
export async function recordNotifications(
  app: TestApp,
  { detectedId, incidentId, resolvedId, channelId, policyId, monitorId }: Subjects,
  { deliveryError }: Content,
  nowMs: number,
): Promise<void> {
  const ago = (minutes: number): string => new Date(nowMs - minutes * MINUTE_MS).toISOString();
  const sent = (minutes: number): StoredAttempt[] => [
    { at: ago(minutes), outcome: 'sent', durationMs: 182, statusCode: 204, error: null },
  ];
  const failed = (minutes: number): StoredAttempt => ({
    at: ago(minutes),
    outcome: 'failed',
    durationMs: 95,
    statusCode: 503,
    error: deliveryError,
  });
  const rows = [
    { about: resolvedId, kind: 'trigger', status: 'sent', attempts: sent(4_500), at: 4_500 },
    { about: resolvedId, kind: 'trigger', step: 2, status: 'suppressed', reason: 'acknowledged', at: 4_495 },
    { about: resolvedId, kind: 'resolve', status: 'sent', attempts: sent(4_410), at: 4_410 },
    { about: incidentId, kind: 'trigger', status: 'failed', attempts: [3, 2, 1].map((n) => failed(40 + n)), at: 43 },
    { about: detectedId, kind: 'trigger', status: 'pending', attempts: [failed(12)], at: 12, next: -30 },
    { about: detectedId, kind: 'trigger', step: 2, status: 'held', reason: 'acknowledged', at: 7, next: -50 },
  ];
  for (const { about, kind, status, at, ...row } of rows) {
    await app.query(
      `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
         repeat, channel_id, status, reason, attempts, settled, due_at, next_attempt_at, created_at, sent_at)
       VALUES ($1::text::uuid, $2, $1, $1, $3, gen_random_uuid(), $4, ARRAY[$5::uuid], $6, $7, 0, $8, $9, $10, $11, $12,
         $13, $14, $15, $16)`,
      [
        randomUUID(),
        app.teams.ours.id,
        kind,
        about,
        monitorId,
        policyId,
        row.step ?? 1,
        channelId,
        status,
        row.reason ?? null,
        JSON.stringify(row.attempts ?? []),
        status === 'sent' || status === 'failed',
        row.next === undefined ? ago(at) : ago(row.next),
        status === 'pending' ? ago(row.next ?? 0) : null,
        ago(at),
        status === 'sent' ? ago(at) : null,
      ],
    );
  }
}

/** Past outages: days ago, and the seconds from the failure to its confirmation, alert, acknowledgement and end. */
const OUTAGES = [
  { days: 9, confirmed: 61, alerted: 63, acknowledged: 224, resolved: 1_500 },
  { days: 12, confirmed: 30.4, alerted: 31.2, acknowledged: null, resolved: 190 },
  { days: 17, confirmed: 75, alerted: 376, acknowledged: 640, resolved: 5_460 },
  { days: 21, confirmed: 60.2, alerted: 64.6, acknowledged: null, resolved: 300 },
  { days: 26, confirmed: 62, alerted: null, acknowledged: null, resolved: 130 },
];

/** Records outages of a monitor with their first alerts, for the alerting report. */
export async function recordOutages(
  app: TestApp,
  { channelId, policyId, monitorId }: Pick<Subjects, 'channelId' | 'policyId' | 'monitorId'>,
  nowMs: number,
): Promise<void> {
  for (const { days, confirmed, alerted, acknowledged, resolved } of OUTAGES) {
    const at = (seconds: number | null) =>
      seconds === null ? null : new Date(nowMs - days * 1_440 * MINUTE_MS + seconds * 1_000).toISOString();
    const [id, team] = [randomUUID(), app.teams.ours.id];
    await app.query(
      `INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, acknowledged_at, resolved_at)
       SELECT $1, $2, 'detected', name || ' is down', 'down', $4, $5, $6, $7 FROM monitors WHERE id = $3`,
      [id, team, monitorId, at(0), at(confirmed), at(acknowledged), at(resolved)],
    );
    await app.query('INSERT INTO incident_monitors (incident_id, monitor_id, team_id) VALUES ($1, $2, $3)', [
      ...[id, monitorId, team],
    ]);
    await app.query(
      `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
         repeat, channel_id, status, reason, settled, due_at, created_at, sent_at)
       VALUES ($1::text::uuid, $2, $1, $1, 'trigger', gen_random_uuid(), $3, ARRAY[$4::uuid], $5, 1, 0, $6, $7, $8, true,
         $9, $9, $10)`,
      [
        ...[randomUUID(), team, id, monitorId, policyId, channelId],
        ...(alerted === null ? ['suppressed', 'silenced'] : ['sent', null]),
        ...[at(confirmed), at(alerted)],
      ],
    );
  }
}
