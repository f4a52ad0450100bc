import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { isDatabaseAway } from '../../database/database-fault.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { planMaintenance } from '../../domain/maintenance-plan.js';
import { nextStart, occurrences } from '../../domain/recurrence.js';
import { type ClosedSpan, coverage } from '../../domain/span.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { idsOf, MaintenanceSpansService } from '../monitors/history/maintenance-spans.service.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { isActive, scheduleOf } from './maintenance-window.mapper.js';
import { windowEvent } from './window-events.js';
import { isOver, WindowLimit } from './window-limit.service.js';

/** How far ahead occurrences are stored as spans, so that they take effect even if no sweep runs for a while. */
const AHEAD_MS = 3_600_000;
/** Maximum number of due windows per sweep. The next sweep handles the rest. */
const BATCH = 100;
/** Maximum share of a process's time that comparing the monitors of active windows by tag may take. */
const FOLLOWING_SHARE = 1 / 20;

const FOLLOWS_TAGS = `tags <> '{}' AND active_from <= $1::timestamptz + interval '${AHEAD_MS} ms' AND active_until > $1`;
/** SQL condition: a window is due by `$1`, or its tags may select other monitors than before. */
export const WINDOWS_DUE = `(EXISTS (SELECT FROM maintenance_windows WHERE due_at <= $1)
  OR EXISTS (SELECT FROM maintenance_windows WHERE ${FOLLOWS_TAGS}))`;

/**
 * Stores windows as spans of their monitors: ahead of time, after each write by a caller, and as time passes. Past
 * spans do not change, whatever happens to the window. Each pass over a window locks its row.
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
    private readonly limit: WindowLimit,
    private readonly events: EventLog,
  ) {}

  /** Updates the windows that are due, and those whose tags no longer select the same monitors. */
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
          // Taken after the wait for the lock, so that it is not before the time of the previous holder's write.
          if (window) await this.settle(tx, window, Date.now());
        });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error(`could not process the maintenance window ${id}`, error);
      }
    }
  }

  /** Updates the spans and the stored times of a locked window as of `nowMs`. Returns the updated window. */
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
    const times = { settledUntil: new Date(nowMs + AHEAD_MS), ...noted(window, stretches, nowMs) };
    const reportedActive = isActive({ ...window, ...times }, nowMs);
    const notes = { ...times, reportedActive };
    await managerOf(tx).update(MaintenanceWindow, { id: window.id }, notes);
    if (reportedActive !== window.reportedActive) {
      const type = reportedActive ? 'maintenance.started' : 'maintenance.ended';
      const held = reportedActive ? notes : { ...notes, ...endedBy(window, nowMs) };
      await this.events.record(tx, [windowEvent(type, { ...window, ...held })], nowMs);
    }
    return { ...window, ...notes };
  }

  /**
   * Stores a caller's changes of a locked and settled window, in effect from `nowMs` on. Returns the updated window.
   * @throws 422 `limit_reached` if a window that is over would be one too many
   */
  async rewrite(
    tx: Tx,
    window: MaintenanceWindow,
    changes: Partial<MaintenanceWindow>,
    nowMs: number,
  ): Promise<MaintenanceWindow> {
    const now = new Date(nowMs);
    const written = { ...changes, revision: window.revision + 1, updatedAt: now, settledUntil: now };
    await managerOf(tx).update(MaintenanceWindow, { id: window.id }, written);
    const settled = await this.settle(tx, { ...window, ...written }, nowMs);
    if (isOver(window, nowMs) && !isOver(settled, nowMs)) await this.limit.assertRoom(tx, settled, nowMs);
    return settled;
  }

  /** Updates the monitors whose maintenance has changed, in the same transaction. */
  private async changed(tx: Tx, monitorIds: readonly string[], nowMs: number): Promise<void> {
    await this.spans.show(tx, monitorIds, nowMs);
  }

  /**
   * Returns the ids of windows with tags, active or about to be, that select other monitors than those with spans.
   * There is no event when a monitor gains or loses a tag, so the monitors are compared; less often than at each sweep
   * if there are many.
   */
  private async strayed(nowMs: number): Promise<string[]> {
    const startedAt = performance.now();
    if (startedAt < this.followAfter) return [];
    const windows: { id: string; team_id: TeamId; monitor_ids: string[]; tags: string[] }[] = await this.windows.query(
      `SELECT id, team_id, monitor_ids, tags FROM maintenance_windows WHERE ${FOLLOWS_TAGS}`,
      [new Date(nowMs)],
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

/** Returns a window after taking the lock that every writer takes; `null` if it no longer exists. */
export function lockWindow(
  manager: EntityManager,
  where: { id: string; teamId?: TeamId },
): Promise<MaintenanceWindow | null> {
  return manager.findOne(MaintenanceWindow, { where, lock: { mode: 'pessimistic_write' } });
}

/**
 * Returns when a window is active, by schedule or manually: all stretches that overlap `[fromMs, toMs)`, unabridged.
 */
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

/** Returns the times of the occurrence that has ended by `nowMs`, as the previous pass stored them. */
function endedBy({ activeFrom, activeUntil }: MaintenanceWindow, nowMs: number): Partial<Notes> {
  return { activeFrom, activeUntil: activeUntil && new Date(Math.min(activeUntil.getTime(), nowMs)) };
}

type Notes = Pick<MaintenanceWindow, 'activeFrom' | 'activeUntil' | 'nextStartsAt' | 'dueAt'>;

/** Returns the times that a pass stores with the window. */
function noted(window: MaintenanceWindow, stretches: readonly ClosedSpan[], nowMs: number): Notes {
  const schedule = scheduleOf(window);
  const next = schedule && nextStart(schedule, nowMs);
  const later = next === null ? null : { from: next, to: next + (schedule!.endsAtMs - schedule!.startsAtMs) };
  const active = stretches.find(({ to }) => to > nowMs) ?? later;
  const due: number[] = [];
  if (active && active.from <= nowMs) due.push(active.to);
  // An occurrence must be stored half an hour before it begins. Once stored, the window is due when it begins.
  if (next !== null) due.push(next < nowMs + AHEAD_MS ? next : next - AHEAD_MS / 2);
  const dateOf = (at: number | undefined | null): Date | null => (at == null ? null : new Date(at));
  return {
    activeFrom: dateOf(active?.from),
    activeUntil: dateOf(active?.to),
    nextStartsAt: dateOf(next),
    dueAt: due.length > 0 ? new Date(Math.min(...due)) : null,
  };
}
