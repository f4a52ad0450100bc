import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';

/**
 * Limits the windows of a team that are not over. Without a schedule, a window is over once it has been used: pipelines
 * create one for each deployment.
 */
@Injectable()
export class WindowLimit {
  constructor(private readonly limits: TeamLimits) {}

  /** @throws 422 `limit_reached` if the team may not have this window as well, stored or not */
  async assertRoom(tx: Tx, { id, teamId }: Pick<MaintenanceWindow, 'id' | 'teamId'>, nowMs: number): Promise<void> {
    const unused = { startsAt: IsNull(), startedAt: IsNull(), cutAt: IsNull() };
    const others = [{ activeUntil: MoreThan(new Date(nowMs)) }, unused].map((one) => ({ ...one, teamId, id: Not(id) }));
    const limit = 'MAX_MAINTENANCE_WINDOWS_PER_TEAM';
    await this.limits.assertRoom(tx, teamId as TeamId, limit, MaintenanceWindow, others);
  }
}

/** Returns whether a settled window is over, and is thus not counted. */
export function isOver({ activeUntil, startsAt, startedAt, cutAt }: MaintenanceWindow, nowMs: number): boolean {
  if (activeUntil !== null && activeUntil.getTime() > nowMs) return false;
  return startsAt !== null || startedAt !== null || cutAt !== null;
}
