import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { HOUR_MS } from '../../domain/durations.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';
import { keyEvent } from './api-key-events.js';
import { ApiKey } from './api-key.entity.js';

/** Maximum number of keys per transaction. */
const BATCH = 100;
const LOOK_EVERY_MS = HOUR_MS;

/** Records that API keys expire soon. */
@Injectable()
export class ExpiringApiKeysService {
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Records `api_key.expiring`, at most once an hour, for some of the keys that expire within 14 days: once for each
   * expiry of a key. Keys that do not live long are due when two thirds of their life are over, and those that live for
   * less than three days never, because programs create them for a single purpose. A later call handles the rest.
   */
  async sweep(nowMs: number): Promise<void> {
    if (nowMs - this.lookedAt < LOOK_EVERY_MS) return;
    const noticed = await this.transactions.run((tx) => this.noticeSome(tx, nowMs));
    if (noticed < BATCH) this.lookedAt = nowMs;
  }

  /** Returns the number of keys of which an event was recorded. */
  private async noticeSome(tx: Tx, nowMs: number): Promise<number> {
    const [noticed]: [{ id: string }[], number] = await managerOf(tx).query(NOTICE, [new Date(nowMs)]);
    const keys = await managerOf(tx).findBy(ApiKey, { id: In(noticed.map(({ id }) => id)) });
    await this.events.record(tx, keys.map(expiringEvent));
    return keys.length;
  }
}

function expiringEvent(key: ApiKey): NewEvent {
  const event = keyEvent('api_key.expiring', key);
  return { ...event, data: { ...event.data, expiresAt: key.expiresAt?.toISOString() }, actor: SYSTEM_ACTOR };
}

/** Locks keys in the order in which other transactions lock several. */
const NOTICE = `
  WITH due AS (
    SELECT id FROM api_keys
    WHERE revoked_at IS NULL AND expires_at > $1 AND noticed_expiry IS DISTINCT FROM expires_at
      AND expires_at <= $1::timestamptz + least(interval '14 days', ($1::timestamptz - created_at) / 2)
      AND expires_at >= created_at + interval '3 days'
    ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE
  )
  UPDATE api_keys k SET noticed_expiry = k.expires_at FROM due WHERE k.id = due.id RETURNING k.id`;
