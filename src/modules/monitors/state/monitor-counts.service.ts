import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Copies } from '../../../domain/copies.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorStatus } from '../dto/monitor.dto.js';

export type MonitorCounts = ReadonlyMap<MonitorStatus, number>;

/** Counting this many monitors takes a few milliseconds. The counts of larger teams are cached for a few seconds. */
const LARGE = 5_000;
const FRESH_MS = 5_000;
/** An older count is not returned; the caller waits for a new one. */
const USABLE_MS = 30_000;
/** Approximate memory for the counts of one team, and the limit for those of all large teams. */
const COUNTS_BYTES = 500;
const MAX_BYTES = 1_000_000;

/** Accepts any cached count; changes become visible with the next one. */
const ANY = { version: '', askedAtMs: 0 };

interface Counted {
  counts: MonitorCounts;
  total: number;
  bytes: number;
}

/** Counts the monitors of a team by status. Statuses without monitors are omitted. */
@Injectable()
export class MonitorCountsService {
  private readonly large = new Copies<Counted>({
    freshMs: FRESH_MS,
    usableMs: USABLE_MS,
    maxBytes: MAX_BYTES,
    now: () => performance.now(),
  });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the current counts. For a team with more than 5,000 monitors, they may be up to 30 seconds old, or 5
   * seconds if they are requested often.
   */
  async byStatus(teamId: TeamId): Promise<MonitorCounts> {
    const isLarge = this.large.last(teamId) !== null;
    const counted = await (isLarge ? this.large.get(teamId, ANY, () => this.count(teamId)) : this.count(teamId));
    if (counted.total <= LARGE) this.large.forget(teamId);
    else if (!isLarge) await this.large.get(teamId, ANY, () => Promise.resolve(counted));
    return counted.counts;
  }

  private async count(teamId: TeamId): Promise<Counted> {
    const rows: { status: MonitorStatus; count: number }[] = await this.dataSource.query(
      'SELECT status, count(*)::int AS count FROM monitor_states WHERE team_id = $1 GROUP BY status',
      [teamId],
    );
    return {
      counts: new Map(rows.map(({ status, count }) => [status, count])),
      total: rows.reduce((sum, { count }) => sum + count, 0),
      bytes: COUNTS_BYTES,
    };
  }
}
