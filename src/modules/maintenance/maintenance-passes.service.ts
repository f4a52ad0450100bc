import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { isDatabaseAway } from '../../database/database-fault.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { planMaintenance } from '../../domain/maintenance-plan.js';
import { nextStart, occurrences } from '../../domain/recurrence.js';
import { type ClosedSpan, coverage } from '../../domain/span.js';
import { type TeamId } from '../../http/auth/principal.js';
import { idsOf, MaintenanceSpansService } from '../monitors/history/maintenance-spans.service.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { scheduleOf } from './maintenance-window.mapper.js';

/** So far ahead occurrences are written down: should nobody sweep for a while, they take place all the same. */
const AHEAD_MS = 3_600_000;
/** Windows of one sweep; the next one goes on. */
const BATCH = 100;
/** Of the time of a process, what following the tags of running windows may take. */
const FOLLOWING_SHARE = 1 / 20;

/**
 * Writes windows down as spans of their monitors: ahead of time, with each write of a caller, and as time goes on. What
 * is past stays, whatever becomes of a window. Whoever passes over a window holds its row.
 */
@Injectable()
export class MaintenancePassesService {
  private readonly logger = new Logger(MaintenancePassesService.name);
  private followAfter = 0;

  constructor(
    @InjectRepository(MaintenanceWindow) private readonly windows: Repository<MaintenanceWindow>,
    private readonly transactions: Transactions,
    private readonly selection: MonitorSelectionService,
    private readonly spans: MaintenanceSpansService,
  ) {}

  /** What time, or a change of its monitors, brings about for windows: those due, and those whose monitors differ. */
  async sweep(nowMs: number): Promise<void> {
    const rows: { id: string }[] = await this.windows.query(
      `SELECT id FROM maintenance_windows WHERE due_at <= $1 ORDER BY due_at LIMIT ${BATCH}`,
      [new Date(nowMs)],
    );
    const ids = new Set([...rows.map(({ id }) => id), ...(await this.strayed(nowMs))]);
    for (const id of ids) {
      try {
        await this.transactions.run(async (tx) => {
          const window = await lockWindow(managerOf(tx), { id });
          // The time after the wait for it: what its former holder wrote is past.
          if (window) await this.settle(tx, window, Date.now());
        });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error(`a pass over the maintenance window ${id} failed`, error);
      }
    }
  }

  /** Brings what is stored of a locked window up to `nowMs`; gives the window with what was noted about it. */
  async settle(tx: Tx, window: MaintenanceWindow, nowMs: number): Promise<MaintenanceWindow> {
    const settledMs = Math.min(window.settledUntil.getTime(), nowMs);
    const stretches = stretchesOf(window, settledMs, nowMs + AHEAD_MS);
    const members = stretches.length > 0 ? await this.selection.members(window.teamId as TeamId, window, tx) : [];
    const rows = await this.spans.rows(tx, window.id, settledMs);
    const plan = planMaintenance({ stretches, members, rows, settledMs, nowMs });
    const affected = idsOf(plan);
    if (affected.length > 0) {
      await this.spans.write(tx, window.id, plan);
      await this.changed(tx, affected, nowMs);
    }
    const notes = { settledUntil: new Date(nowMs + AHEAD_MS), ...noted(window, stretches, nowMs) };
    await managerOf(tx).update(MaintenanceWindow, { id: window.id }, notes);
    return { ...window, ...notes };
  }

  /** Stores a caller's changes of a window that is locked and settled: they hold from `nowMs` on. Gives it with them. */
  async rewrite(
    tx: Tx,
    window: MaintenanceWindow,
    changes: Partial<MaintenanceWindow>,
    nowMs: number,
  ): Promise<MaintenanceWindow> {
    const now = new Date(nowMs);
    const written = { ...changes, revision: window.revision + 1, updatedAt: now, settledUntil: now };
    await managerOf(tx).update(MaintenanceWindow, { id: window.id }, written);
    return this.settle(tx, { ...window, ...written }, nowMs);
  }

  /** Follows every change of maintenance of these monitors, in its transaction. */
  private async changed(tx: Tx, monitorIds: readonly string[], nowMs: number): Promise<void> {
    await this.spans.show(tx, monitorIds, nowMs);
  }

  /**
   * Windows by tags, running or about to, that mean other monitors than they have: ids. Nothing tells when a monitor
   * gets or loses a tag, so members are compared; where they are many, less often than at each sweep.
   */
  private async strayed(nowMs: number): Promise<string[]> {
    const startedAt = performance.now();
    if (startedAt < this.followAfter) return [];
    const windows: { id: string; team_id: TeamId; monitor_ids: string[]; tags: string[] }[] = await this.windows.query(
      `SELECT id, team_id, monitor_ids, tags FROM maintenance_windows
       WHERE active_from <= $1 AND active_until > $2 AND tags <> '{}'`,
      [new Date(nowMs + AHEAD_MS), new Date(nowMs)],
    );
    const strayed: string[] = [];
    for (const { id, team_id: teamId, monitor_ids: monitorIds, tags } of windows) {
      const members = await this.selection.members(teamId, { monitorIds, tags });
      const present = await this.spans.monitorIds(id, nowMs);
      if (members.join() !== present.join()) strayed.push(id);
    }
    this.followAfter = startedAt + (performance.now() - startedAt) / FOLLOWING_SHARE;
    return strayed;
  }
}

/** The window under the lock of every writer; `null` where it is gone. */
export function lockWindow(
  manager: EntityManager,
  where: { id: string; teamId?: TeamId },
): Promise<MaintenanceWindow | null> {
  return manager.findOne(MaintenanceWindow, { where, lock: { mode: 'pessimistic_write' } });
}

/** When a window takes place, by its schedule and by hand: what touches `[fromMs, toMs)`, whole. */
function stretchesOf(window: MaintenanceWindow, fromMs: number, toMs: number): ClosedSpan[] {
  const schedule = scheduleOf(window);
  const cutMs = window.cutAt?.getTime() ?? -Infinity;
  const spans = (schedule ? occurrences(schedule, fromMs, toMs) : []).filter(({ from }) => from > cutMs);
  const { startedAt, startedUntil } = window;
  if (startedAt && startedUntil && startedUntil.getTime() > fromMs) {
    spans.push({ from: startedAt.getTime(), to: startedUntil.getTime() });
  }
  return coverage(spans, -Infinity, Infinity);
}

type Notes = Pick<MaintenanceWindow, 'activeFrom' | 'activeUntil' | 'nextStartsAt' | 'dueAt'>;

/** What a pass notes of the time to come. */
function noted(window: MaintenanceWindow, stretches: readonly ClosedSpan[], nowMs: number): Notes {
  const schedule = scheduleOf(window);
  const next = schedule && nextStart(schedule, nowMs);
  const later = next === null ? null : { from: next, to: next + (schedule!.endsAtMs - schedule!.startsAtMs) };
  const active = stretches.find(({ to }) => to > nowMs) ?? later;
  const due: number[] = [];
  if (active && active.from <= nowMs) due.push(active.to);
  // What is not written down yet must be so half an hour before; what is, is looked at when it begins.
  if (next !== null) due.push(next < nowMs + AHEAD_MS ? next : next - AHEAD_MS / 2);
  const dateOf = (at: number | undefined | null): Date | null => (at == null ? null : new Date(at));
  return {
    activeFrom: dateOf(active?.from),
    activeUntil: dateOf(active?.to),
    nextStartsAt: dateOf(next),
    dueAt: due.length > 0 ? new Date(Math.min(...due)) : null,
  };
}
