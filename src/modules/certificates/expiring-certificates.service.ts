import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { type ExpiryVerdict, judgeExpiry } from '../../domain/expiry.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';

/** Maximum number of certificates per transaction. */
const BATCH = 100;
/** Certificates that no monitor sees are kept this long after they have expired, so that none is raised again. */
const KEPT_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 3_600_000;
/** SQL condition: a certificate may have reached a threshold by `$1`. */
export const CERTIFICATES_DUE = 'EXISTS (SELECT FROM certificates WHERE due_at <= $1)';

interface DueCertificate {
  team_id: string;
  fingerprint: string;
  subject: string;
  issuer: string;
  valid_from: Date;
  valid_until: Date;
  raised_days: number | null;
  /** The monitors that see it and are checked, in the order of their ids. */
  monitor_ids: string[];
  /** Whether any monitor sees it. */
  is_seen: boolean;
}

/** Records that certificates expire soon. */
@Injectable()
export class ExpiringCertificatesService {
  private forgottenAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Records `certificate.expiring` for some of the certificates that have reached a threshold: once for each, whichever
   * of the team's monitors see it. The next call handles the rest.
   */
  async sweep(nowMs: number): Promise<void> {
    await this.transactions.run((tx) => this.raiseSome(tx, nowMs));
  }

  /** Deletes, once an hour, certificates that expired long ago and that no monitor sees. */
  async forgetOld(nowMs: number): Promise<void> {
    if (nowMs - this.forgottenAt < FORGET_EVERY_MS) return;
    this.forgottenAt = nowMs;
    await this.dataSource.query(
      `DELETE FROM certificates c WHERE valid_until < $1 AND NOT EXISTS (
         SELECT FROM monitor_certificates m WHERE m.team_id = c.team_id AND m.fingerprint = c.fingerprint)`,
      [new Date(nowMs - KEPT_MS)],
    );
  }

  private async raiseSome(tx: Tx, nowMs: number): Promise<void> {
    const due: DueCertificate[] = await managerOf(tx).query(
      `SELECT c.team_id, c.fingerprint, c.subject, c.issuer, c.valid_from, c.valid_until, c.raised_days, seen.*
       FROM certificates c CROSS JOIN LATERAL (
         SELECT count(*) > 0 AS is_seen, coalesce(array_agg(m.id ORDER BY m.id) FILTER (WHERE m.paused_at IS NULL
           AND (m.resumed_at IS NULL OR s.read_at >= m.resumed_at)), '{}') AS monitor_ids
         FROM monitor_certificates s JOIN monitors m ON m.id = s.monitor_id
         WHERE s.team_id = c.team_id AND s.fingerprint = c.fingerprint) AS seen
       WHERE c.due_at <= $1 ORDER BY c.due_at, c.team_id, c.fingerprint LIMIT ${BATCH} FOR UPDATE OF c SKIP LOCKED`,
      [new Date(nowMs)],
    );
    const judged = due.map((one) => judge(one, nowMs));
    const notices = due.flatMap((one, index) => {
      const { notifyDays } = judged[index]!;
      return notifyDays === null ? [] : [expiringEvent(one, notifyDays)];
    });
    await this.events.record(tx, notices);
    await managerOf(tx).query(
      `UPDATE certificates c SET raised_days = t.raised_days, due_at = t.due_at
       FROM unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[]) AS t (team_id, fingerprint, raised_days, due_at)
       WHERE c.team_id = t.team_id AND c.fingerprint = t.fingerprint`,
      [
        due.map((one) => one.team_id),
        due.map(({ fingerprint }) => fingerprint),
        judged.map(({ raisedDays }) => raisedDays),
        judged.map(({ dueAtMs }) => (dueAtMs === null ? null : new Date(dueAtMs))),
      ],
    );
  }
}

function judge(certificate: DueCertificate, nowMs: number): ExpiryVerdict {
  const { valid_from: from, valid_until: until, raised_days: raised, is_seen: isSeen } = certificate;
  // The next check that finds it makes it due again.
  if (!isSeen) return { notifyDays: null, raisedDays: raised, dueAtMs: null };
  const isWatched = certificate.monitor_ids.length > 0;
  return judgeExpiry({ validFrom: from.getTime(), validUntil: until.getTime() }, raised, isWatched, nowMs);
}

function expiringEvent(certificate: DueCertificate, thresholdDays: number): NewEvent {
  const { team_id: teamId, fingerprint, subject, issuer } = certificate;
  return {
    type: 'certificate.expiring',
    teamId,
    resource: { type: 'certificate', id: fingerprint, name: subject || null },
    data: {
      thresholdDays,
      fingerprint,
      subject: subject || null,
      issuer: issuer || null,
      validFrom: certificate.valid_from.toISOString(),
      validUntil: certificate.valid_until.toISOString(),
      monitorIds: certificate.monitor_ids,
    },
    actor: SYSTEM_ACTOR,
  };
}
