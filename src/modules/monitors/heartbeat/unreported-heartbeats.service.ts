import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { DAY_MS } from '../../../domain/durations.js';
import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { EventLog } from '../../events/event-log.service.js';
import { type NamedMonitor, monitorEvent } from '../definition/monitor-events.js';

/** Monitors of jobs that run once a day have not had their chance before. */
const UNREPORTED_AFTER_MS = DAY_MS;
const AGAIN_MS = DAY_MS;
/** Looking for them reads all heartbeat monitors. */
const LOOK_EVERY_MS = 600_000;
/** Teams per sweep. */
const BATCH = 100;
/** Monitors that an event names; it counts the others. */
const MAX_NAMED = 1_000;

/** Records that heartbeat monitors have never had a report, because a job that was never set up fails silently. */
@Injectable()
export class UnreportedHeartbeatsService {
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Records `heartbeat.unreported` for some of the teams whose monitors have waited for a day or longer: at most once a
   * day for each team, with all of these monitors. A later call handles the rest.
   */
  async sweep(nowMs: number): Promise<void> {
    if (nowMs - this.lookedAt < LOOK_EVERY_MS) return;
    const waitingSince = new Date(nowMs - UNREPORTED_AFTER_MS);
    const noticedBefore = new Date(nowMs - AGAIN_MS);
    const teams: { id: string }[] = await this.dataSource.query(
      `SELECT t.id FROM teams t WHERE (t.unreported_at IS NULL OR t.unreported_at <= $2) AND EXISTS (
         SELECT FROM monitors m JOIN heartbeats h ON h.monitor_id = m.id WHERE m.team_id = t.id AND ${IS_UNREPORTED})
       ORDER BY t.id LIMIT ${BATCH}`,
      [waitingSince, noticedBefore],
    );
    for (const { id } of teams) await this.transactions.run((tx) => this.raise(tx, id, waitingSince, nowMs));
    if (teams.length < BATCH) this.lookedAt = nowMs;
  }

  private async raise(tx: Tx, teamId: string, waitingSince: Date, nowMs: number): Promise<void> {
    const monitors: (NamedMonitor & { since: Date })[] = await managerOf(tx).query(
      `SELECT m.id, m.team_id AS "teamId", m.key, m.name, greatest(m.created_at, m.resumed_at) AS since
       FROM monitors m JOIN heartbeats h ON h.monitor_id = m.id
       WHERE m.team_id = $2 AND ${IS_UNREPORTED} ORDER BY since, m.id`,
      [waitingSince, teamId],
    );
    await managerOf(tx).query('UPDATE teams SET unreported_at = $2 WHERE id = $1', [teamId, new Date(nowMs)]);
    const [first] = monitors;
    if (!first) return;
    const data = {
      startedAt: first.since.toISOString(),
      cause: { errorCode: 'heartbeat_missed', message: 'There has never been a report.' },
      monitorIds: monitors.slice(0, MAX_NAMED).map(({ id }) => id),
      monitorCount: monitors.length,
    };
    await this.events.record(tx, [monitorEvent('heartbeat.unreported', first, { data, actor: SYSTEM_ACTOR })]);
  }
}

/** SQL condition: monitor `m` with heartbeat `h` has waited for its first report since `$1`, and is not paused. */
const IS_UNREPORTED = `h.last_ping_at IS NULL AND m.paused_at IS NULL AND greatest(m.created_at, m.resumed_at) <= $1`;
