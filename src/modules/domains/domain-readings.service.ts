import { Injectable } from '@nestjs/common';
import { integers, texts, times, uuids } from '../../database/array-parameter.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type DomainFacts } from '../../domain/check-result.js';
import { nextExpiryNotice, validUntil } from '../../domain/expiry.js';

/** The registration of a domain that a check of a monitor read. */
export interface DomainReading extends DomainFacts {
  monitorId: string;
  /** Revision of the definition that was checked. */
  revision: number;
  /** Epoch milliseconds. */
  readAt: number;
}

/** Stores what monitors learn of the registrations of domains. */
@Injectable()
export class DomainReadingsService {
  /**
   * Stores readings of monitors that the transaction has locked, in any order. Ignores those of an earlier definition,
   * which may be of another domain.
   */
  async store(tx: Tx, readings: readonly DomainReading[], nowMs: number): Promise<void> {
    if (readings.length === 0) return;
    await managerOf(tx).query(STORE, [
      uuids(readings.map(({ monitorId }) => monitorId)),
      integers(readings.map(({ revision }) => revision)),
      times(readings.map(({ readAt }) => readAt)),
      texts(readings.map(({ domain }) => domain)),
      texts(readings.map(({ registrar }) => registrar)),
      times(readings.map(({ expiresAt }) => expiresAt)),
      times(readings.map(({ expiresAt }) => dueAt(expiresAt, nowMs))),
    ]);
  }

  /** Forgets the registration of a monitor's domain, because it now has another target. */
  async forget(tx: Tx, monitorId: string): Promise<void> {
    await managerOf(tx).query('DELETE FROM domain_registrations WHERE monitor_id = $1', [monitorId]);
  }
}

function dueAt(expiresAt: number | null, nowMs: number): number | null {
  return expiresAt === null ? null : nextExpiryNotice(validUntil(expiresAt), null, nowMs);
}

/** Rows are written in the order of their keys, in which the sweep locks them, so that the two cannot deadlock. */
const STORE = `
  INSERT INTO domain_registrations AS d
    (monitor_id, team_id, domain, registrar, expires_at, read_at, raised_days, due_at)
  SELECT DISTINCT ON (t.monitor_id) t.monitor_id, m.team_id, t.domain, t.registrar, t.expires_at, t.read_at,
    (SELECT min(o.raised_days) FROM domain_registrations o
     WHERE o.team_id = m.team_id AND o.domain = t.domain AND o.expires_at = t.expires_at), t.due_at
  FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
    AS t (monitor_id, revision, read_at, domain, registrar, expires_at, due_at)
  JOIN monitors m ON m.id = t.monitor_id AND m.revision = t.revision
  ORDER BY t.monitor_id, t.read_at DESC
  ON CONFLICT (monitor_id) DO UPDATE SET domain = excluded.domain, registrar = excluded.registrar,
      expires_at = excluded.expires_at, read_at = excluded.read_at, raised_days = excluded.raised_days,
      due_at = excluded.due_at
    WHERE d.read_at < excluded.read_at`;
