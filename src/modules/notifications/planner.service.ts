import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type Alerting, NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { type AlertRef, AlertStore } from './alert-store.service.js';
import { PlanningService } from './planning.service.js';

/** Events or timers of one transaction, so that transactions stay short. */
const BATCH = 20;
/** An event whose planning failed this often is set aside. */
const MAX_FAILURES = 5;
const RETRY_SECONDS = 10;

/** What one pass did: whether more may be left, and whether something may be due for sending. */
export interface Planned {
  isMore: boolean;
  isDue: boolean;
}

const NOTHING: Planned = { isMore: false, isDue: false };

/**
 * Plans what events and timers ask for. Any number of processes may do this at the same time: each claims other rows,
 * and the alerts of one subject are planned by one transaction at a time.
 */
@Injectable()
export class PlannerService {
  private readonly logger = new Logger(PlannerService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly store: AlertStore,
    private readonly planning: PlanningService,
    private readonly policies: NotificationPoliciesService,
  ) {}

  /** Plans some of the events that have not been planned yet. Throws only if the database is away. */
  async planEvents(nowMs = Date.now()): Promise<Planned> {
    try {
      return await this.planSomeEvents(BATCH, nowMs);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // One of them is at fault. The others are planned one by one, and it is tried again later.
      return this.planEach(nowMs);
    }
  }

  /** Plans the alerts of some of the timers that are due. Throws only if the database is away. */
  async planTimers(nowMs = Date.now()): Promise<Planned> {
    const due: { team_id: TeamId; subject_id: string; alert_key: string }[] = await this.dataSource.query(
      'SELECT team_id, subject_id, alert_key FROM notification_timers WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
      [new Date(nowMs), BATCH],
    );
    let isDue = false;
    for (const row of due) {
      const ref = { teamId: row.team_id, subjectId: row.subject_id };
      try {
        isDue = (await this.planTimer(ref, nowMs)) || isDue;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error(`could not plan the alert ${row.alert_key}; will retry`, error);
        await this.dataSource.query(
          `UPDATE notification_timers SET failures = failures + 1,
             due_at = $2::timestamptz + least(3600, $3 * 2 ^ least(failures, 10)) * interval '1 second'
           WHERE alert_key = $1`,
          [row.alert_key, new Date(nowMs), RETRY_SECONDS],
        );
      }
    }
    return { isMore: due.length === BATCH, isDue };
  }

  /** Plans the alerts of a subject in this transaction, which keeps them locked. */
  async planSubject(tx: Tx, ref: AlertRef, team: Alerting, nowMs: number): Promise<boolean> {
    await this.store.lock(tx, [ref.subjectId]);
    return this.planning.plan(tx, ref, team, nowMs);
  }

  private async planTimer(ref: AlertRef, nowMs: number): Promise<boolean> {
    const team = await this.policies.alerting(ref.teamId);
    return this.transactions.run(async (tx) => {
      const [claim]: { locked: boolean }[] = await managerOf(tx).query(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('alerts/' || $1, 0)) AS locked`,
        [ref.subjectId],
      );
      // Another process plans or sends it at this moment.
      if (!claim!.locked) return false;
      const isStillDue: unknown[] = await managerOf(tx).query(
        'SELECT 1 FROM notification_timers WHERE subject_id = $1 AND due_at <= $2',
        [ref.subjectId, new Date(nowMs)],
      );
      return isStillDue.length > 0 && this.planning.plan(tx, ref, team, nowMs);
    });
  }

  private async planEach(nowMs: number): Promise<Planned> {
    const outcome = { ...NOTHING };
    for (let count = 0; count < BATCH; count += 1) {
      const next = await this.dataSource.query<{ event_id: string }[]>(
        `SELECT event_id FROM unplanned_events WHERE ${CLAIMABLE} ORDER BY sequence LIMIT 1`,
        [new Date(nowMs)],
      );
      if (next.length === 0) return outcome;
      try {
        const one = await this.planSomeEvents(1, nowMs, next[0]!.event_id);
        outcome.isDue ||= one.isDue;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        await this.noteFailure(next[0]!.event_id, error, nowMs);
      }
    }
    return { ...outcome, isMore: true };
  }

  private async noteFailure(eventId: string, error: unknown, nowMs: number): Promise<void> {
    const [rows]: [{ failures: number }[], number] = await this.dataSource.query(
      `UPDATE unplanned_events SET failures = failures + 1, retry_at = $2::timestamptz + $3 * interval '1 second'
       WHERE event_id = $1 RETURNING failures`,
      [eventId, new Date(nowMs), RETRY_SECONDS],
    );
    const isSetAside = (rows[0]?.failures ?? 0) >= MAX_FAILURES;
    const what = isSetAside ? 'it is set aside' : 'will retry';
    this.logger.error(`could not plan the notifications of the event ${eventId}; ${what}`, error);
  }

  private async planSomeEvents(count: number, nowMs: number, only: string | null = null): Promise<Planned> {
    const teams = new Map<TeamId, Alerting>();
    // Read before the transaction, because it must not wait for a second connection while it holds locks.
    for (const teamId of await this.teamsOfNext(count, nowMs)) teams.set(teamId, await this.policies.alerting(teamId));
    return this.transactions.run(async (tx) => {
      const [claimed]: [{ event_id: string }[], number] = await managerOf(tx).query(
        `DELETE FROM unplanned_events WHERE event_id IN (
           SELECT event_id FROM unplanned_events WHERE ${CLAIMABLE} AND ($3::uuid IS NULL OR event_id = $3)
           ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING event_id`,
        [new Date(nowMs), count, only],
      );
      if (claimed.length === 0) return NOTHING;
      const ids = claimed.map((row) => row.event_id);
      const refs = await this.store.refsOf(tx, ids);
      await this.store.lock(
        tx,
        refs.map(({ subjectId }) => subjectId),
      );
      let isDue = false;
      for (const ref of refs) {
        let team = teams.get(ref.teamId);
        // An event that was recorded after the teams were read.
        if (!team) teams.set(ref.teamId, (team = await this.policies.alerting(ref.teamId)));
        isDue = (await this.planning.plan(tx, ref, team, nowMs)) || isDue;
      }
      return { isMore: claimed.length === count, isDue };
    });
  }

  private async teamsOfNext(count: number, nowMs: number): Promise<TeamId[]> {
    const rows: { team_id: TeamId }[] = await this.dataSource.query(
      `SELECT DISTINCT e.team_id FROM (
         SELECT event_id FROM unplanned_events WHERE ${CLAIMABLE} ORDER BY sequence LIMIT $2
       ) AS next JOIN events e ON e.id = next.event_id`,
      [new Date(nowMs), 2 * count],
    );
    return rows.map((row) => row.team_id);
  }
}

const CLAIMABLE = `failures < ${MAX_FAILURES} AND (retry_at IS NULL OR retry_at <= $1)`;
