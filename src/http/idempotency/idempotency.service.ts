import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, type Tx } from '../../database/tx.js';
import { type TeamId } from '../auth/principal.js';
import { ProblemException } from '../problems/problem.js';

/** The right to store the response for a key. `claimedAt` distinguishes it from earlier and later claims. */
export interface Claim {
  readonly teamId: TeamId;
  readonly key: string;
  readonly claimedAt: Date;
}

/** A stored response. */
export interface KeptAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** JSON; `undefined` for a response without a body. */
  body: unknown;
}

interface Runner {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

interface KeptRecord {
  fingerprint: Buffer;
  status_code: number | null;
  headers: Record<string, string>;
  body: unknown;
}

/** Longer than any request takes until it has written. After a crash, the key is blocked for this long. */
const LAPSE = "interval '60 seconds'";
const EXPIRY = "interval '24 hours'";
const RETRY_AFTER_SECONDS = '1';
const ATTEMPTS = 3;

const FIND = `
  SELECT fingerprint, status_code, headers, body FROM idempotency_keys
  WHERE team_id = $1 AND key = $2 AND expires_at > clock_timestamp()
    AND (status_code IS NOT NULL OR claimed_at > clock_timestamp() - ${LAPSE})`;

/**
 * Returns no row if another request was faster. The commit does not wait for the disk: if a crash of the server loses a
 * claim, its writer finds it lost.
 */
const TAKE = `
  INSERT INTO idempotency_keys AS k (team_id, key, fingerprint, claimed_at, expires_at)
  SELECT $1::uuid, $2::text, $3::bytea, clock_timestamp(), clock_timestamp() + ${EXPIRY}
  FROM set_config('synchronous_commit', 'off', true)
  ON CONFLICT (team_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at,
    expires_at = excluded.expires_at, status_code = NULL, headers = NULL, body = NULL
  WHERE k.expires_at <= excluded.claimed_at
    OR (k.status_code IS NULL AND k.claimed_at <= excluded.claimed_at - ${LAPSE})
  RETURNING claimed_at`;

/** Stores responses by team and idempotency key, for all processes and for 24 h. Uses the database's clock. */
@Injectable()
export class IdempotencyService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Claims a key for a request for 60 s, unless its response is stored or the claim released earlier; or returns the
   * stored response. Of any number of concurrent equal requests, one gets the claim.
   * @throws 422 `idempotency_key_reused` for a different request, 409 `idempotency_in_flight` while the first one runs
   */
  async claim(
    teamId: TeamId,
    key: string,
    fingerprint: Buffer,
  ): Promise<{ claim: Claim; kept?: never } | { claim?: never; kept: KeptAnswer }> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      // Reads first, so that a retry neither writes nor waits for the transaction that stores the response.
      const [known]: KeptRecord[] = await this.dataSource.query(FIND, [teamId, key]);
      if (known) return { kept: answerOf(known, fingerprint) };
      const [taken]: { claimed_at: Date }[] = await this.dataSource.query(TAKE, [teamId, key, fingerprint]);
      if (taken) return { claim: { teamId, key, claimedAt: taken.claimed_at } };
    }
    throw inFlight();
  }

  /** Stores a response in the transaction of its write. @throws 409 `idempotency_in_flight` if the claim is lost */
  async keepIn(tx: Tx, claim: Claim, answer: KeptAnswer): Promise<void> {
    if (!(await keepBy(managerOf(tx), claim, answer))) throw inFlight();
  }

  /** Stores a response on its own, unless the claim is lost. */
  async keep(claim: Claim, answer: KeptAnswer): Promise<void> {
    await keepBy(this.dataSource, claim, answer);
  }

  /** Lets the next request with the key run. A stored response remains, even if its commit was not acknowledged. */
  async release({ teamId, key, claimedAt }: Claim): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM idempotency_keys WHERE team_id = $1 AND key = $2 AND claimed_at = $3 AND status_code IS NULL`,
      [teamId, key, claimedAt],
    );
  }
}

function answerOf({ status_code: statusCode, headers, body, ...known }: KeptRecord, fingerprint: Buffer): KeptAnswer {
  if (!known.fingerprint.equals(fingerprint)) throw reused();
  if (statusCode === null) throw inFlight();
  return { statusCode, headers, body: body ?? undefined };
}

async function keepBy(runner: Runner, claim: Claim, answer: KeptAnswer): Promise<boolean> {
  const { teamId, key, claimedAt } = claim;
  const { statusCode, headers, body } = answer;
  const result = await runner.query(
    `UPDATE idempotency_keys SET status_code = $4, headers = $5, body = $6
     WHERE team_id = $1 AND key = $2 AND claimed_at = $3`,
    [teamId, key, claimedAt, statusCode, JSON.stringify(headers), body === undefined ? null : storable(body)],
  );
  const [, updated] = result as [unknown[], number];
  return updated === 1;
}

/** Returns the JSON of a body. Texts from targets may contain NUL and unpaired surrogates, which PostgreSQL rejects. */
function storable(body: unknown): string {
  const json = JSON.stringify(body);
  if (!json.includes('\\u')) return json;
  const clean = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
  return JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value));
}

function reused(): ProblemException {
  const detail = 'This Idempotency-Key was used for a different request. Use a new key for each request.';
  return new ProblemException(422, 'idempotency_key_reused', detail);
}

function inFlight(): ProblemException {
  const detail = 'A request with this Idempotency-Key is still running. Retry later to get its response.';
  return new ProblemException(409, 'idempotency_in_flight', detail, {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
