import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type StormState } from '../../domain/notification-plan/storm-alert.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ChannelClaim } from './channel-claim.entity.js';

/** A channel that this process sends through. */
export interface ClaimedChannel {
  channelId: string;
  teamId: TeamId;
}

/** A channel that was just claimed. */
export interface NextChannel extends ClaimedChannel {
  /** Whether the last attempt before that had failed. */
  isFailing: boolean;
}

/** What a channel waits for. Epoch milliseconds. */
export interface ChannelPause {
  failingSince: number | null;
  collectsUntil: number | null;
  /** What a channel for machines has sent; null if it has not sent anything. */
  storm: StormState | null;
}

/** Longer than an attempt takes. After a crash, another process continues after this long. */
export const CLAIM_MS = 60_000;
const LEASE = `interval '${CLAIM_MS} milliseconds'`;

/** Channels with something to send by `$1`, whoever has claimed them, and since when it has been due. */
const DUE_CHANNELS = `notification_channel_claims c
  CROSS JOIN LATERAL (SELECT least(
    (SELECT min(n.next_attempt_at) FROM notifications n WHERE n.channel_id = c.channel_id AND n.next_attempt_at <= $1),
    (SELECT min(n.refresh_at) FROM notifications n WHERE n.channel_id = c.channel_id AND n.refresh_at <= $1)) AS at) AS due
  WHERE due.at IS NOT NULL
    AND (c.blocked_until IS NULL OR c.blocked_until <= $1) AND (c.collects_until IS NULL OR c.collects_until <= $1)`;
/** SQL condition: a channel has something to send by `$1`, whoever has claimed it. */
export const SENDING_DUE = `EXISTS (SELECT FROM ${DUE_CHANNELS})`;

/** The right to send through a channel: one process at a time, which keeps the order of its messages. */
@Injectable()
export class ChannelClaimsService {
  readonly holder = uuidv7();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  /**
   * Claims a channel that has something to send; `null` if there is none. Those that work come first, in the order in
   * which they have had something to send; those that fail follow, in the order in which they may be tried again. The
   * embedded database has a single user, so there an earlier holder is dead.
   * @param withFailing whether the channel may be one that fails
   */
  async next(nowMs = Date.now(), withFailing = true): Promise<NextChannel | null> {
    const [rows]: [{ channel_id: string; team_id: TeamId; is_failing: boolean }[], number] =
      await this.dataSource.query(
        `UPDATE notification_channel_claims SET claimed_by = $2, claimed_until = now() + ${LEASE}
         WHERE channel_id = (
           SELECT c.channel_id FROM ${DUE_CHANNELS}
             AND (c.claimed_until IS NULL OR c.claimed_until <= now() OR ($3 AND c.claimed_by <> $2))
             AND (c.failing_since IS NULL OR $4)
           ORDER BY c.failing_since IS NOT NULL, greatest(due.at, c.blocked_until), c.channel_id
           LIMIT 1 FOR UPDATE OF c SKIP LOCKED
         ) RETURNING channel_id, team_id, failing_since IS NOT NULL AS is_failing`,
        [new Date(nowMs), this.holder, this.config.embedded, withFailing],
      );
    const [row] = rows;
    return row ? { channelId: row.channel_id, teamId: row.team_id, isFailing: row.is_failing } : null;
  }

  /** Returns what a channel waits for; `null` if this process has lost the claim. */
  async pauseOf({ channelId }: ClaimedChannel): Promise<ChannelPause | null> {
    const [row]: {
      failing_since: Date | null;
      collects_until: Date | null;
      storm: StormState | null;
      stands: boolean;
    }[] = await this.dataSource.query(
      // A storm alert that could not be opened stands for nothing.
      `SELECT failing_since, collects_until, storm, EXISTS (SELECT FROM notifications n
           WHERE n.channel_id = c.channel_id AND n.storm_key = c.storm -> 'storm' ->> 'alertKey' AND n.kind = 'trigger'
             AND n.status IN ('pending', 'sent')) AS stands
         FROM notification_channel_claims c WHERE channel_id = $1 AND claimed_by = $2`,
      [channelId, this.holder],
    );
    if (!row) return null;
    return {
      storm: row.storm && (row.stands ? row.storm : { ...row.storm, storm: null }),
      failingSince: row.failing_since?.getTime() ?? null,
      collectsUntil: row.collects_until?.getTime() ?? null,
    };
  }

  /** Extends the claim. Returns whether this process still holds it. */
  async renew(tx: Tx, { channelId }: ClaimedChannel): Promise<boolean> {
    const [, held]: [unknown[], number] = await managerOf(tx).query(
      `UPDATE notification_channel_claims SET claimed_until = now() + ${LEASE} WHERE channel_id = $1 AND claimed_by = $2`,
      [channelId, this.holder],
    );
    return held === 1;
  }

  /** Records what a channel for machines has sent. */
  async saveStorm(tx: Tx, { channelId }: ClaimedChannel, storm: StormState): Promise<void> {
    await managerOf(tx).update(ChannelClaim, { channelId }, { storm });
  }

  /** Records that an attempt succeeded, and until when further notifications are collected, if that changes. */
  async succeeded(tx: Tx, { channelId }: ClaimedChannel, collectsUntil?: number | null): Promise<void> {
    await managerOf(tx).update(
      ChannelClaim,
      { channelId },
      {
        blockedUntil: null,
        failingSince: null,
        failures: [],
        ...(collectsUntil !== undefined && { collectsUntil: collectsUntil === null ? null : new Date(collectsUntil) }),
      },
    );
  }

  /**
   * Records that an attempt failed, and until when no other one is made. Returns when the last but two was made; `null`
   * if fewer than three have failed since one succeeded.
   */
  async failed(tx: Tx, { channelId }: ClaimedChannel, at: Date, blockedUntil: Date): Promise<Date | null> {
    const [[row]]: [{ third_last: Date | null }[], number] = await managerOf(tx).query(
      `UPDATE notification_channel_claims SET blocked_until = $3, failing_since = coalesce(failing_since, $2),
         failures = ($2 || failures)[1:3]
       WHERE channel_id = $1 RETURNING failures[3] AS third_last`,
      [channelId, at, blockedUntil],
    );
    return row?.third_last ?? null;
  }

  /** Lets any process send through the channel. */
  async release({ channelId }: ClaimedChannel): Promise<void> {
    await this.dataSource.query(
      `UPDATE notification_channel_claims SET claimed_until = NULL, claimed_by = NULL
       WHERE channel_id = $1 AND claimed_by = $2`,
      [channelId, this.holder],
    );
  }
}
