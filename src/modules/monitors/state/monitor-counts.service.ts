import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Copies } from '../../../domain/copies.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorStatus } from '../dto/monitor.dto.js';

export type MonitorCounts = ReadonlyMap<MonitorStatus, number>;

/** To count as many takes a few milliseconds: larger teams are counted every few seconds, and not for each page. */
const LARGE = 5_000;
const FRESH_MS = 5_000;
/** An older count is waited for. */
const USABLE_MS = 30_000;
/** What the counts of a team take of the memory, about, and what those of all large teams may. */
const COUNTS_BYTES = 500;
const MAX_BYTES = 1_000_000;

/** Any count will do: what changes is seen when the next one is made. */
const ANY = { version: '', askedAtMs: 0 };

interface Counted {
  counts: MonitorCounts;
  total: number;
  bytes: number;
}

/** How many monitors of a team are in each state. Statuses without any are left out. */
@Injectable()
export class MonitorCountsService {
  private readonly large = new Copies<Counted>({
    ...{ freshMs: FRESH_MS, usableMs: USABLE_MS, maxBytes: MAX_BYTES },
    now: () => performance.now(),
  });

  constructor(private readonly dataSource: DataSource) {}

  /** As of now; of a team with more than 5,000 monitors, as of some seconds ago: at most 30, and 5 where people look on. */
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
