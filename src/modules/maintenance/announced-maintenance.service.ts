import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type TeamId } from '../../http/auth/principal.js';
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

/** Reads the maintenance that is announced to the public. */
@Injectable()
export class AnnouncedMaintenanceService {
  constructor(
    @InjectRepository(MaintenanceWindow) private readonly windows: Repository<MaintenanceWindow>,
    private readonly monitors: MonitorsService,
  ) {}

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
      .orderBy('w.active_until > :now', 'DESC', 'NULLS LAST')
      .addOrderBy('w.next_starts_at', 'ASC')
      .limit(MAX_ANNOUNCED)
      .getMany();
    return windows
      .flatMap((window) => announced(window, nowMs, beforeMs, monitorIds, tags))
      .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1));
  }
}

function announced(
  window: MaintenanceWindow,
  nowMs: number,
  beforeMs: number,
  asked: readonly string[],
  tags: ReadonlyMap<string, readonly string[]>,
): AnnouncedMaintenance[] {
  const { id, name, description, updatedAt } = window;
  const active = isActive(window, nowMs);
  const startsAt = active ? window.activeFrom : nextStartsAt(window, nowMs);
  const schedule = scheduleOf(window);
  if (!startsAt || startsAt.getTime() >= beforeMs) return [];
  const lengthMs = schedule ? schedule.endsAtMs - schedule.startsAtMs : 0;
  const endsAt = active ? window.activeUntil! : new Date(startsAt.getTime() + lengthMs);
  const monitorIds = asked.filter(
    (monitorId) =>
      window.monitorIds.includes(monitorId) || tags.get(monitorId)?.some((tag) => window.tags.includes(tag)),
  );
  return [{ id, name, description, active, startsAt, endsAt, updatedAt, monitorIds }];
}

/**
 * Like `monitorsVersion`, returns an SQL expression for a text that changes with every write to a window that `about`
 * may return. `before` is an SQL expression for the end of the period.
 */
export function maintenanceVersion(teamId: string, before: string): string {
  return `(SELECT string_agg(concat(w.id, ',', w.xmin), ' ' ORDER BY w.id) FROM maintenance_windows w
    WHERE w.team_id = ${teamId} AND w.public AND (w.active_until > now() OR w.next_starts_at < ${before}))`;
}
