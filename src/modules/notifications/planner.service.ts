import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { isDatabaseAway, isStatementTimeout } from '../../database/database-fault.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type Alerting, NotificationPoliciesService } from '../notification-policies/notification-policies.service.js';
import { type AlertRef } from './alert-events.js';
import { AlertStore, type EventEffect } from './alert-store.service.js';
import { PlanningService } from './planning.service.js';

/** Events or timers of one transaction, so that transactions stay short. */
const BATCH = 100;
/** An event whose planning failed this often is set aside. */
export const MAX_FAILURES = 5;
const RETRY_SECONDS = 10;
/** How long a process has for the effects of an event before another one may take them on. */
const EFFECTS_MS = 30_000;
const CLAIMABLE = `failures < ${MAX_FAILURES} AND (retry_at IS NULL OR retry_at <= $1)`;
/** SQL condition: there are events to plan at `$1`, or timers are due. */
export const PLANNING_DUE = `(EXISTS (SELECT FROM unplanned_events WHERE ${CLAIMABLE})
  OR EXISTS (SELECT FROM notification_timers WHERE due_at <= $1))`;

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
      if (isAway(error)) throw error;
      // One of them is at fault. The others are planned one by one, and it is tried again later.
      return this.planEach(nowMs);
    }
  }

  /** Plans the alerts of some of the timers that are due. Throws only if the database is away. */
  async planTimers(nowMs = Date.now()): Promise<Planned> {
    const rows: { team_id: TeamId; subject_id: string }[] = await this.dataSource.query(
      'SELECT team_id, subject_id FROM notification_timers WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
      [new Date(nowMs), BATCH],
    );
    const due = rows.map((row): AlertRef => ({ teamId: row.team_id, subjectId: row.subject_id }));
    const isMore = due.length === BATCH;
    try {
      return { isMore, isDue: await this.planDue(due, nowMs) };
    } catch (error) {
      if (isAway(error)) throw error;
      // One of them is at fault. The others are planned one by one, and it is tried again later.
      return { isMore, isDue: await this.planEachTimer(due, nowMs) };
    }
  }

  private async planEachTimer(due: readonly AlertRef[], nowMs: number): Promise<boolean> {
    let isDue = false;
    for (const ref of due) {
      try {
        isDue = (await this.planDue([ref], nowMs)) || isDue;
      } catch (error) {
        if (isAway(error)) throw error;
        this.logger.error(`could not plan the alerts of ${ref.subjectId}; will retry`, error);
        await this.dataSource.query(
          `UPDATE notification_timers SET failures = failures + 1,
             due_at = $2::timestamptz + least(3600, $3 * 2 ^ least(failures, 10)) * interval '1 second'
           WHERE subject_id = $1 AND due_at <= $2`,
          [ref.subjectId, new Date(nowMs), RETRY_SECONDS],
        );
      }
    }
    return isDue;
  }

  /** Plans the alerts that are still due and that nobody else plans or sends at this moment. */
  private async planDue(due: readonly AlertRef[], nowMs: number): Promise<boolean> {
    if (due.length === 0) return false;
    return this.transactions.run(async (tx) => {
      const ids = await this.store.tryLock(
        tx,
        due.map(({ subjectId }) => subjectId),
      );
      const still: { subject_id: string }[] = await managerOf(tx).query(
        'SELECT DISTINCT subject_id FROM notification_timers WHERE subject_id = ANY($1::uuid[]) AND due_at <= $2',
        [ids, new Date(nowMs)],
      );
      const left = new Set(still.map((row) => row.subject_id));
      const refs = new Map(due.filter((ref) => left.has(ref.subjectId)).map((ref) => [ref.subjectId, ref]));
      return this.plan(tx, [...refs.values()], nowMs);
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
        if (isAway(error)) throw error;
        await this.noteFailure(next[0]!.event_id, error, nowMs);
      }
    }
    return { ...outcome, isMore: true };
  }

  private async noteFailure(eventId: string, error: unknown, nowMs: number): Promise<void> {
    // A slow database is not the fault of the event, which would be lost if it were set aside.
    const limit = isStatementTimeout(error) ? MAX_FAILURES - 1 : MAX_FAILURES;
    const [rows]: [{ failures: number }[], number] = await this.dataSource.query(
      `UPDATE unplanned_events SET failures = least(failures + 1, $4),
         retry_at = $2::timestamptz + $3 * 2 ^ failures * interval '1 second'
       WHERE event_id = $1 RETURNING failures`,
      [eventId, new Date(nowMs), RETRY_SECONDS, limit],
    );
    const isSetAside = (rows[0]?.failures ?? 0) >= MAX_FAILURES;
    const what = isSetAside ? 'it is set aside' : 'will retry';
    this.logger.error(`could not plan the notifications of the event ${eventId}; ${what}`, error);
  }

  private async planSomeEvents(count: number, nowMs: number, only: string | null = null): Promise<Planned> {
    let effects: EventEffect[] = [];
    const planned = await this.transactions.run(async (tx) => {
      const claimed: { event_id: string }[] = await managerOf(tx).query(
        `SELECT event_id FROM unplanned_events WHERE ${CLAIMABLE} AND ($3::uuid IS NULL OR event_id = $3)
         ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [new Date(nowMs), count, only],
      );
      if (claimed.length === 0) return NOTHING;
      const ids = claimed.map((row) => row.event_id);
      effects = await this.store.effects(tx, ids);
      const unfinished = new Set(effects.flatMap(({ eventIds }) => eventIds));
      await unmark(
        tx,
        ids.filter((id) => !unfinished.has(id)),
      );
      if (unfinished.size > 0) {
        await managerOf(tx).query('UPDATE unplanned_events SET retry_at = $2 WHERE event_id = ANY($1::uuid[])', [
          [...unfinished],
          new Date(nowMs + EFFECTS_MS),
        ]);
      }
      const refs = await this.store.refsOf(tx, ids);
      await this.store.lock(
        tx,
        refs.map(({ subjectId }) => subjectId),
      );
      const isDue = await this.plan(tx, refs, nowMs);
      return { isMore: claimed.length === count, isDue };
    });
    for (const effect of effects) await this.takeEffect(effect, nowMs);
    return planned;
  }

  /** Plans alerts that the transaction has locked, by the policies and channels as they are then. */
  private async plan(tx: Tx, refs: readonly AlertRef[], nowMs: number): Promise<boolean> {
    if (refs.length === 0) return false;
    const teamIds = [...new Set(refs.map(({ teamId }) => teamId))];
    await this.store.enterTeams(tx, teamIds);
    const teams = new Map<TeamId, Alerting>();
    for (const teamId of teamIds) teams.set(teamId, await this.policies.alerting(teamId, tx));
    return this.planning.plan(tx, refs, teams, nowMs);
  }

  /**
   * Makes the timers of all open alerts that events concern due. Only then are their marks deleted, so that messages about
   * them are not sent by what was valid before, and another process does this if this one stops.
   */
  private async takeEffect(effect: EventEffect, nowMs: number): Promise<void> {
    try {
      await this.makeDue(effect, nowMs);
      await this.transactions.run((tx) => unmark(tx, effect.eventIds));
    } catch (error) {
      if (isAway(error)) throw error;
      for (const eventId of effect.eventIds) await this.noteFailure(eventId, error, nowMs);
    }
  }

  /** In small transactions that lock the alerts, so that none is planned at that moment by what was valid before. */
  private async makeDue(effect: EventEffect, nowMs: number): Promise<void> {
    // An alert that is being planned for the first time cannot be found yet.
    await this.transactions.run((tx) => this.store.awaitTeam(tx, effect.teamId));
    for (let after: string | null = null; ;) {
      const subjectIds: string[] = await this.transactions.run(async (tx) => {
        const open = await this.store.concerned(tx, effect, after, BATCH);
        await this.store.lock(tx, open);
        await managerOf(tx).query(
          `UPDATE notification_timers SET due_at = $2 WHERE subject_id = ANY($1::uuid[]) AND closed_at IS NULL
             AND (due_at IS NULL OR due_at > $2)`,
          [open, new Date(nowMs)],
        );
        return open;
      });
      if (subjectIds.length < BATCH) return;
      after = subjectIds.at(-1)!;
    }
  }
}

async function unmark(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await managerOf(tx).query('DELETE FROM unplanned_events WHERE event_id = ANY($1::uuid[])', [eventIds]);
}

/**
 * Returns whether nothing can be planned at the moment. After a statement that took too long, others can be: it may be
 * that of one alert.
 */
function isAway(error: unknown): boolean {
  return isDatabaseAway(error) && !isStatementTimeout(error);
}
