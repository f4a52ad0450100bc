import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../../database/tx.js';
import { EventLog } from '../../events/event-log.service.js';
import { locationEvent } from './location-event.js';
import { type NetworkLoss } from './spans.service.js';

/** Why a location does not observe its monitors, and since when; epoch milliseconds. */
export type LocationLoss = Pick<NetworkLoss, 'location' | 'since' | 'error'>;

/** A {@link LocationLoss} that is over. */
export interface EndedLoss {
  location: string;
  since: number;
  errorCode: string;
}

/** Records when locations do not observe their monitors, and when their results do not count. */
@Injectable()
export class LocationLossesService {
  constructor(private readonly events: EventLog) {}

  /** Records for teams that a location no longer observes their monitors, and why. */
  async begin(tx: Tx, teamIds: readonly string[], loss: LocationLoss, nowMs: number): Promise<void> {
    const { location, since, error: cause } = loss;
    const data = { reason: cause.errorCode, startedAt: new Date(since).toISOString(), cause };
    await this.events.record(
      tx,
      teamIds.map((teamId) => locationEvent('checking.interrupted', teamId, location, since, data)),
      nowMs,
    );
  }

  /**
   * Records that a loss is over, for the teams for which it began: those that have paused, moved or deleted their
   * monitors since have an open alert as well.
   */
  async end(tx: Tx, { location, since, errorCode }: EndedLoss, nowMs: number): Promise<void> {
    const rows: { id: string }[] = await managerOf(tx).query(
      `SELECT t.id FROM teams t CROSS JOIN LATERAL (
         SELECT type FROM events e
         WHERE e.team_id = t.id AND e.resource_id = $1 AND e.resource_type = 'location' AND e.data ->> 'reason' = $2
         ORDER BY e.era DESC, e.transaction_id DESC, e.sequence DESC LIMIT 1) AS latest
       WHERE latest.type = 'checking.interrupted' ORDER BY t.id`,
      [location, errorCode],
    );
    const times = { startedAt: new Date(since).toISOString(), resolvedAt: new Date(nowMs).toISOString() };
    const data = { reason: errorCode, ...times };
    await this.events.record(
      tx,
      rows.map(({ id }) => locationEvent('checking.resumed', id, location, nowMs, data)),
      nowMs,
    );
  }

  /** Records that the results of a location do not count from now on. */
  async beginNoVote(tx: Tx, location: string, nowMs: number): Promise<void> {
    await managerOf(tx).query(`INSERT INTO spans (id, location, kind, starts_at) VALUES ($1, $2, 'no_vote', $3)`, [
      uuidv7(),
      location,
      new Date(nowMs),
    ]);
  }

  /** Records that the results of a location count again. */
  async endNoVote(tx: Tx, location: string, nowMs: number): Promise<void> {
    await managerOf(tx).query(
      `UPDATE spans SET ends_at = $2 WHERE kind = 'no_vote' AND location = $1 AND ends_at IS NULL`,
      [location, new Date(nowMs)],
    );
  }
}
