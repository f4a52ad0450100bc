import { Injectable } from '@nestjs/common';
import { managerOf, Transactions } from '../../database/tx.js';
import { type TeamId } from '../../http/principal.js';
import { type ProblemException, validationFailed } from '../../http/problem.js';
import { expectNoFields, validateBody } from '../../http/validation.js';
import { CheckRequestsService } from './check-requests.service.js';
import { PauseMonitorDto } from './dto/pause-monitor.dto.js';
import { MonitorStatesService } from './monitor-states.service.js';
import { Monitor } from './monitor.entity.js';
import { type MonitorDto } from './monitor.mapper.js';
import { MonitorsService } from './monitors.service.js';
import { hint } from './schedule-hints.js';
import { SpansService } from './spans.service.js';

/** Pauses by callers, each change in one transaction. Pauses that end by themselves: `MonitorLifecycleService`. */
@Injectable()
export class MonitorPausesService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly transactions: Transactions,
    private readonly states: MonitorStatesService,
    private readonly spans: SpansService,
    private readonly requests: CheckRequestsService,
  ) {}

  /** Stops checking; of a paused monitor, replaces end and reason. @throws 404, 422 */
  async pause(teamId: TeamId, address: string, body: unknown): Promise<MonitorDto> {
    const found = await this.monitors.find(teamId, address);
    const dto = validateBody(PauseMonitorDto, body);
    await this.transactions.run(async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, found.id);
      const nowMs = Date.now();
      const untilMs = pauseEnd(dto, nowMs);
      const runs = monitor.pausedAt !== null && (monitor.pausedUntil === null || monitor.pausedUntil.getTime() > nowMs);
      const now = new Date(nowMs);
      await managerOf(tx).update(
        Monitor,
        { id: monitor.id, teamId },
        {
          pausedAt: runs ? monitor.pausedAt : now,
          pausedUntil: untilMs === null ? null : new Date(untilMs),
          pauseReason: dto.reason ?? null,
          revision: monitor.revision + 1,
          updatedAt: now,
        },
      );
      await this.spans.pause(tx, monitor.id, nowMs, untilMs, dto.reason ?? null);
      await this.states.refresh(tx, await this.states.lock(tx, [monitor.id]), nowMs);
      await hint(managerOf(tx), { monitorId: monitor.id });
    });
    return this.monitors.get(teamId, found.id);
  }

  /** Ends the pause and checks at once; of a monitor that is not paused, nothing. @throws 404, 422 */
  async resume(teamId: TeamId, address: string, body: unknown): Promise<MonitorDto> {
    const found = await this.monitors.find(teamId, address);
    expectNoFields(body);
    await this.transactions.run(async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, found.id);
      if (monitor.pausedAt === null) return;
      const nowMs = Date.now();
      const now = new Date(nowMs);
      await managerOf(tx).update(
        Monitor,
        { id: monitor.id, teamId },
        {
          ...{ pausedAt: null, pausedUntil: null, pauseReason: null, resumedAt: now },
          ...{ revision: monitor.revision + 1, updatedAt: now },
        },
      );
      await this.spans.resume(tx, monitor.id, nowMs);
      await this.requests.add(tx, monitor.id, monitor.locations, 'resumed', nowMs);
      await this.states.refresh(tx, await this.states.lock(tx, [monitor.id]), nowMs);
      await hint(managerOf(tx), { monitorId: monitor.id });
    });
    return this.monitors.get(teamId, found.id);
  }
}

function fault(pointer: string, code: string, detail: string): ProblemException {
  return validationFailed([{ pointer, code, detail }]);
}

function pauseEnd(dto: PauseMonitorDto, nowMs: number): number | null {
  if (dto.until != null && dto.durationSeconds != null) {
    throw fault('/durationSeconds', 'invalid_value', 'Give until or durationSeconds, not both.');
  }
  if (dto.durationSeconds != null) return nowMs + dto.durationSeconds * 1_000;
  if (dto.until == null) return null;
  const untilMs = Date.parse(dto.until);
  if (untilMs <= nowMs) throw fault('/until', 'out_of_range', 'The time must lie in the future.');
  return untilMs;
}
