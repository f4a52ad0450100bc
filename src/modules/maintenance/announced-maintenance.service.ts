import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { occurrences } from '../../domain/recurrence.js';
import { type TeamId } from '../../http/auth/principal.js';
import { MaintenanceSpansService } from '../monitors/history/maintenance-spans.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { isActive, nextStartsAt, scheduleOf } from './maintenance-window.mapper.js';

/** A public maintenance window with its current occurrence or, if there is none, the next one. */
export interface AnnouncedMaintenance {
  id: string;
  name: string;
  description: string | null;
  active: boolean;
  startsAt: Date;
  endsAt: Date;
  /** When a caller last wrote it. */
  updatedAt: Date;
  /** The affected monitors among those that were requested. */
  monitorIds: string[];
}

/** Maximum number of windows that are announced at a time. */
const MAX_ANNOUNCED = 50;
/** Maximum number of periods of each window in a calendar. */
const MAX_PERIODS = 50;

/** Reads the maintenance that is announced to the public. */
@Injectable()
export class AnnouncedMaintenanceService {
  constructor(
    @InjectRepository(MaintenanceWindow) private readonly windows: Repository<MaintenanceWindow>,
    private readonly monitors: MonitorsService,
    private readonly spans: MaintenanceSpansService,
  ) {}

  /**
   * Returns the public maintenance of these monitors of the team that ended in `[fromMs, toMs)`, latest first, at most
   * `limit`. The windows of deleted ones are unknown, so their maintenance is not returned.
   */
  async ended(
    teamId: TeamId,
    monitorIds: readonly string[],
    period: { fromMs: number; toMs: number },
    limit: number,
  ): Promise<AnnouncedMaintenance[]> {
    const rows = await this.windows.find({ where: { teamId, public: true }, select: { id: true } });
    const held = await this.spans.ended(
      rows.map(({ id }) => id),
      monitorIds,
      period,
      limit,
    );
    const windows = await this.windows.findBy({ teamId, id: In([...new Set(held.map(({ windowId }) => windowId))]) });
    const byId = new Map(windows.map((window) => [window.id, window]));
    return held.flatMap(({ windowId, ...rest }) => {
      const window = byId.get(windowId);
      if (!window?.public) return [];
      // The monitors have left it, but may be back: `ahead` returns the period as a whole.
      if (isActive(window, period.toMs) && rest.startsAt >= window.activeFrom!) return [];
      const { id, name, description, updatedAt } = window;
      return [{ id, name, description, updatedAt, active: false, ...rest }];
    });
  }

  /**
   * Returns the public windows of these monitors of the team that are active or begin before `beforeMs`, at most 50,
   * ordered by start.
   */
  async about(
    teamId: TeamId,
    monitorIds: readonly string[],
    nowMs: number,
    beforeMs: number,
  ): Promise<AnnouncedMaintenance[]> {
    const { windows, membersOf } = await this.announcedBefore(teamId, monitorIds, nowMs, beforeMs);
    return windows.flatMap((window) => announced(window, nowMs, beforeMs, membersOf(window)) ?? []).sort(byStart);
  }

  /**
   * Like `about`, but returns all periods of the windows that overlap `[nowMs, beforeMs)`, at most 50 of each window.
   */
  async ahead(
    teamId: TeamId,
    monitorIds: readonly string[],
    nowMs: number,
    beforeMs: number,
  ): Promise<AnnouncedMaintenance[]> {
    const { windows, membersOf } = await this.announcedBefore(teamId, monitorIds, nowMs, beforeMs);
    return windows
      .flatMap((window) => {
        const first = announced(window, nowMs, beforeMs, membersOf(window));
        const schedule = scheduleOf(window);
        if (!first || !schedule) return first ?? [];
        const later = occurrences(schedule, first.endsAt.getTime(), beforeMs)
          .filter(({ from }) => from > Math.max(nowMs, first.startsAt.getTime()))
          .slice(0, MAX_PERIODS - 1);
        const rest = later.map(({ from, to }) => ({ startsAt: new Date(from), endsAt: new Date(to) }));
        return [first, ...rest.map((times) => ({ ...first, active: false, ...times }))];
      })
      .sort(byStart);
  }

  /** Returns the windows that are active or begin before `beforeMs`, and which of the monitors each one affects. */
  private async announcedBefore(teamId: TeamId, monitorIds: readonly string[], nowMs: number, beforeMs: number) {
    const tags = await this.monitors.tags(teamId, monitorIds);
    const windows = await this.windows
      .createQueryBuilder('w')
      .where('w.team_id = :teamId AND w.public', { teamId })
      .andWhere('(w.monitor_ids && :monitorIds::uuid[] OR w.tags && :tags::text[])', {
        monitorIds,
        tags: [...new Set([...tags.values()].flat())],
      })
      .andWhere('(w.active_until > :now OR w.next_starts_at < :before)', {
        now: new Date(nowMs),
        before: new Date(beforeMs),
      })
      // Both times of a window that is not active are those of its next occurrence.
      .orderBy('w.active_from <= :now AND w.active_until > :now', 'DESC', 'NULLS LAST')
      .addOrderBy('w.next_starts_at', 'ASC')
      .limit(MAX_ANNOUNCED)
      .getMany();
    const membersOf = (window: MaintenanceWindow): string[] =>
      monitorIds.filter(
        (id) => window.monitorIds.includes(id) || tags.get(id)?.some((tag) => window.tags.includes(tag)),
      );
    return { windows, membersOf };
  }
}

function byStart(a: AnnouncedMaintenance, b: AnnouncedMaintenance): number {
  return a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1);
}

/** Returns the current period of a window or, if there is none, the next one; null if it begins at `beforeMs` or later. */
function announced(
  window: MaintenanceWindow,
  nowMs: number,
  beforeMs: number,
  monitorIds: string[],
): AnnouncedMaintenance | null {
  const { id, name, description, updatedAt } = window;
  const active = isActive(window, nowMs);
  const startsAt = active ? window.activeFrom : nextStartsAt(window, nowMs);
  const schedule = scheduleOf(window);
  if (!startsAt || startsAt.getTime() >= beforeMs) return null;
  const lengthMs = schedule ? schedule.endsAtMs - schedule.startsAtMs : 0;
  const endsAt = active ? window.activeUntil! : new Date(startsAt.getTime() + lengthMs);
  return { id, name, description, active, startsAt, endsAt, updatedAt, monitorIds };
}

/**
 * Like `monitorsVersion`, returns an SQL expression for a text that changes with every write to a window that `about`
 * may return. `before` is an SQL expression for the end of the period.
 */
export function maintenanceVersion(teamId: string, before: string): string {
  return `(SELECT string_agg(concat(w.id, ',', w.xmin), ' ' ORDER BY w.id) FROM maintenance_windows w
    WHERE w.team_id = ${teamId} AND w.public AND (w.active_until > now() OR w.next_starts_at < ${before}))`;
}
