import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../principal.js';
import { ProblemException } from '../problem.js';

/** The right to answer for a key; `claimedAt` tells it from the claims before and after it. */
export interface Claim {
  readonly teamId: TeamId;
  readonly key: string;
  readonly claimedAt: Date;
}

/** An answer to give again. */
export interface KeptAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** JSON; `undefined` of an answer without a body. */
  body: unknown;
}

interface Runner {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

interface ClaimRecord {
  claimed_at: Date | null;
  fingerprint: Buffer;
  status_code: number | null;
  headers: Record<string, string>;
  body: unknown;
}

/** Later than any request takes that has not written yet; a crashed one blocks its key for this long. */
const LAPSE = "interval '60 seconds'";
const EXPIRY = "interval '24 hours'";
const RETRY_AFTER_SECONDS = '1';
const ATTEMPTS = 3;

/**
 * Takes the key, or gives what is known of it. A known key is only read, so that retries do not wait for the transaction
 * that keeps their answer; only claims that lapse or expire are waited for. No row: another request was faster.
 */
const CLAIM = `
  WITH known AS (
    SELECT fingerprint, status_code, headers, body FROM idempotency_keys
    WHERE team_id = $1 AND key = $2 AND expires_at > clock_timestamp()
      AND (status_code IS NOT NULL OR claimed_at > clock_timestamp() - ${LAPSE})
  ), claimed AS (
    INSERT INTO idempotency_keys AS k (team_id, key, fingerprint, claimed_at, expires_at)
    SELECT $1::uuid, $2::text, $3::bytea, now, now + ${EXPIRY} FROM clock_timestamp() AS now
    WHERE NOT EXISTS (SELECT FROM known)
    ON CONFLICT (team_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at,
      expires_at = excluded.expires_at, status_code = NULL, headers = NULL, body = NULL
    WHERE k.expires_at <= excluded.claimed_at
      OR (k.status_code IS NULL AND k.claimed_at <= excluded.claimed_at - ${LAPSE})
    RETURNING claimed_at
  )
  SELECT claimed_at, NULL AS fingerprint, NULL AS status_code, NULL AS headers, NULL AS body FROM claimed
  UNION ALL SELECT NULL, fingerprint, status_code, headers, body FROM known`;

/** Remembers answers by team and idempotency key, for all processes and for 24 h. Times are the database's own. */
@Injectable()
export class IdempotencyService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Claims a key for a request, for 60 s unless its answer is kept or the claim released before; or gives the answer
   * that is kept. Of any number of equal requests at once, one gets the claim. @throws 422 `idempotency_key_reused` for
   * another request, 409 `idempotency_in_flight` while the first one runs
   */
  async claim(
    teamId: TeamId,
    key: string,
    fingerprint: Buffer,
  ): Promise<{ claim: Claim; kept?: never } | { claim?: never; kept: KeptAnswer }> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const [row]: ClaimRecord[] = await this.dataSource.query(CLAIM, [teamId, key, fingerprint]);
      if (!row) continue;
      if (row.claimed_at) return { claim: { teamId, key, claimedAt: row.claimed_at } };
      if (!row.fingerprint.equals(fingerprint)) throw reused();
      if (row.status_code === null) break;
      return { kept: { statusCode: row.status_code, headers: row.headers, body: row.body ?? undefined } };
    }
    throw inFlight();
  }

  /** Keeps an answer in the transaction of its write. @throws 409 `idempotency_in_flight` where the claim is lost */
  async keepIn(tx: Tx, claim: Claim, answer: KeptAnswer): Promise<void> {
    if (!(await keepBy(managerOf(tx), claim, answer))) throw inFlight();
  }

  /** Keeps an answer by itself, unless the claim is lost. */
  async keep(claim: Claim, answer: KeptAnswer): Promise<void> {
    await keepBy(this.dataSource, claim, answer);
  }

  /** Lets the next request with the key run. An answer that is kept stays, also one whose commit ended unheard. */
  async release({ teamId, key, claimedAt }: Claim): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM idempotency_keys WHERE team_id = $1 AND key = $2 AND claimed_at = $3 AND status_code IS NULL`,
      [teamId, key, claimedAt],
    );
  }
}

async function keepBy(runner: Runner, claim: Claim, answer: KeptAnswer): Promise<boolean> {
  const { teamId, key, claimedAt } = claim;
  const { statusCode, headers, body } = answer;
  const result = await runner.query(
    `UPDATE idempotency_keys SET status_code = $4, headers = $5, body = $6
     WHERE team_id = $1 AND key = $2 AND claimed_at = $3`,
    [teamId, key, claimedAt, statusCode, JSON.stringify(headers), body === undefined ? null : JSON.stringify(body)],
  );
  const [, updated] = result as [unknown[], number];
  return updated === 1;
}

function reused(): ProblemException {
  const detail = 'The Idempotency-Key was sent with another request: use a new key for each.';
  return new ProblemException(422, 'idempotency_key_reused', detail);
}

function inFlight(): ProblemException {
  const detail = 'A request with this Idempotency-Key is still running; its answer can be had later.';
  return new ProblemException(409, 'idempotency_in_flight', detail, {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
