import { Injectable } from '@nestjs/common';
import { integers, texts, times, uuids } from '../../database/array-parameter.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { nextExpiryNotice } from '../../domain/expiry.js';
import { type ServerCertificate } from '../../domain/check-result.js';

/** A certificate that a check of a monitor read. */
export interface CertificateReading extends ServerCertificate {
  monitorId: string;
  /** Revision of the definition that was checked. */
  revision: number;
  /** Epoch milliseconds. */
  readAt: number;
}

/** Stores which certificates monitors see. */
@Injectable()
export class CertificateReadingsService {
  /**
   * Stores readings of monitors that the transaction has locked, in any order. Ignores those of an earlier definition,
   * which may be of another target.
   */
  async store(tx: Tx, readings: readonly CertificateReading[], nowMs: number): Promise<void> {
    if (readings.length === 0) return;
    await managerOf(tx).query(STORE, [
      uuids(readings.map(({ monitorId }) => monitorId)),
      integers(readings.map(({ revision }) => revision)),
      times(readings.map(({ readAt }) => readAt)),
      texts(readings.map(({ fingerprint }) => fingerprint)),
      texts(readings.map(({ subject }) => subject)),
      texts(readings.map(({ issuer }) => issuer)),
      times(readings.map(({ validFrom }) => validFrom)),
      times(readings.map(({ validUntil }) => validUntil)),
      times(readings.map((one) => nextExpiryNotice(one, null, nowMs))),
    ]);
  }

  /** Forgets the certificate of a monitor, because it now has another target. */
  async forget(tx: Tx, monitorId: string): Promise<void> {
    await managerOf(tx).query('DELETE FROM monitor_certificates WHERE monitor_id = $1', [monitorId]);
  }
}

/** Certificates are inserted in the order of their keys, so that transactions that store the same ones cannot deadlock. */
const STORE = `
  WITH readings AS (
    SELECT m.team_id, t.* FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
        $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
      AS t (monitor_id, revision, read_at, fingerprint, subject, issuer, valid_from, valid_until, due_at)
    JOIN monitors m ON m.id = t.monitor_id AND m.revision = t.revision
  ), stored AS (
    INSERT INTO certificates AS c (team_id, fingerprint, subject, issuer, valid_from, valid_until, due_at)
    SELECT DISTINCT ON (team_id, fingerprint) team_id, fingerprint, subject, issuer, valid_from, valid_until, due_at
    FROM readings ORDER BY team_id, fingerprint
    ON CONFLICT (team_id, fingerprint) DO UPDATE SET due_at = excluded.due_at
      WHERE c.due_at IS NULL AND excluded.due_at IS NOT NULL
  )
  INSERT INTO monitor_certificates AS c (monitor_id, team_id, fingerprint, read_at)
  SELECT DISTINCT ON (monitor_id) monitor_id, team_id, fingerprint, read_at FROM readings
  ORDER BY monitor_id, read_at DESC
  ON CONFLICT (monitor_id) DO UPDATE SET fingerprint = excluded.fingerprint, read_at = excluded.read_at
    WHERE c.read_at < excluded.read_at`;
