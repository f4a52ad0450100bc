import { Injectable } from '@nestjs/common';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { type FieldErrorCode } from '../../../domain/field-error-codes.js';
import { SYSTEM_ACTOR } from '../../../http/auth/actor.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../../http/items/if-match.decorator.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type ProblemException, validationFailed } from '../../../http/problems/problem.js';
import { expectNoFields, validateBody } from '../../../http/body/validation.js';
import { awaitsReports } from '../../../probes/index.js';
import { EventLog } from '../../events/event-log.service.js';
import { monitorEvent } from '../definition/monitor-events.js';
import { CheckRequestsService } from '../schedule/check-requests.service.js';
import { PauseMonitorDto } from '../dto/pause-monitor.dto.js';
import { MonitorStatesService } from '../state/monitor-states.service.js';
import { Monitor } from '../definition/monitor.entity.js';
import { type MonitorDto } from '../dto/monitor.dto.js';
import { isPaused } from '../monitor.mapper.js';
import { MonitorsService } from '../monitors.service.js';
import { hint } from '../schedule/schedule-hints.js';
import { SpansService } from './spans.service.js';

/**
 * Pauses and resumes monitors for callers, each in one transaction. `MonitorLifecycleService` ends pauses when their
 * time is up.
 */
@Injectable()
export class MonitorPausesService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly transactions: Transactions,
    private readonly states: MonitorStatesService,
    private readonly spans: SpansService,
    private readonly requests: CheckRequestsService,
    private readonly events: EventLog,
  ) {}

  /**
   * Pauses a monitor. If it is already paused, replaces the end and reason of the pause; does nothing if they are the
   * same. @throws 404, 412, 422
   */
  pause(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<MonitorDto> {
    const judge = (): PauseMonitorDto => validateBody(PauseMonitorDto, body);
    return this.write(teamId, address, ifMatch, keep, judge, async (tx, monitor, dto, nowMs) => {
      const untilMs = pauseEnd(dto, nowMs);
      const reason = dto.reason ?? null;
      const isSame = (monitor.pausedUntil?.getTime() ?? null) === untilMs && monitor.pauseReason === reason;
      if (isPaused(monitor, nowMs) && isSame) return false;
      await this.begin(tx, monitor, nowMs, untilMs, reason);
      return true;
    });
  }

  /** Ends the pause and checks the monitor immediately; does nothing if it is not paused. @throws 404, 412, 422 */
  resume(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<MonitorDto> {
    const judge = (): void => expectNoFields(body);
    return this.write(teamId, address, ifMatch, keep, judge, async (tx, monitor, _, nowMs) => {
      if (monitor.pausedAt === null) return false;
      await this.end(tx, monitor, nowMs);
      return true;
    });
  }

  /**
   * Pauses or resumes a locked monitor, and returns whether that was necessary. A current pause keeps its end and
   * reason. The caller increments the revision.
   */
  async set(tx: Tx, monitor: Monitor, paused: boolean, nowMs: number): Promise<boolean> {
    if (paused ? isPaused(monitor, nowMs) : monitor.pausedAt === null) return false;
    await (paused ? this.begin(tx, monitor, nowMs, null, null) : this.end(tx, monitor, nowMs));
    return true;
  }

  /** Completes a write to a locked monitor: updates its displayed state and its schedule, and returns the response. */
  async settle(tx: Tx, teamId: TeamId, id: string, nowMs: number): Promise<MonitorDto> {
    await this.states.refresh(tx, await this.states.lock(tx, [id]), nowMs);
    await hint(managerOf(tx), { monitorId: id });
    return this.monitors.shownIn(tx, teamId, id);
  }

  private async write<T>(
    teamId: TeamId,
    address: string,
    ifMatch: IfMatch,
    keep: KeepAnswer,
    judge: () => T,
    change: (tx: Tx, monitor: Monitor, judged: T, nowMs: number) => Promise<boolean>,
  ): Promise<MonitorDto> {
    const found = await this.monitors.find(teamId, address);
    ifMatch.assert(found.revision);
    const judged = judge();
    return this.transactions.run(async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, found.id);
      ifMatch.assert(monitor.revision);
      const nowMs = Date.now();
      if (await change(tx, monitor, judged, nowMs)) {
        const changes = { revision: monitor.revision + 1, updatedAt: new Date(nowMs) };
        await managerOf(tx).update(Monitor, { id: monitor.id, teamId }, changes);
      }
      const answer = await this.settle(tx, teamId, monitor.id, nowMs);
      await keep.in(tx, answer);
      return answer;
    });
  }

  private async begin(tx: Tx, monitor: Monitor, nowMs: number, untilMs: number | null, pauseReason: string | null) {
    const isCurrent = isPaused(monitor, nowMs);
    const pausedAt = isCurrent ? monitor.pausedAt : new Date(nowMs);
    const pausedUntil = untilMs === null ? null : new Date(untilMs);
    await managerOf(tx).update(Monitor, { id: monitor.id }, { pausedAt, pausedUntil, pauseReason });
    await this.spans.pause(tx, monitor.id, nowMs, untilMs, pauseReason);
    const data = { until: pausedUntil?.toISOString() ?? null, reason: pauseReason };
    const events = [monitorEvent('monitor.paused', monitor, { data })];
    // The pause before has ended by itself, a moment ago, which has not been recorded.
    if (monitor.pausedAt !== null && !isCurrent) {
      events.unshift(monitorEvent('monitor.resumed', monitor, { actor: SYSTEM_ACTOR }));
    }
    await this.events.record(tx, events, nowMs);
  }

  private async end(tx: Tx, monitor: Monitor, nowMs: number): Promise<void> {
    const { id, locations } = monitor;
    const changes = { pausedAt: null, pausedUntil: null, pauseReason: null, resumedAt: new Date(nowMs) };
    await managerOf(tx).update(Monitor, { id }, changes);
    await this.spans.resume(tx, id, nowMs);
    if (!awaitsReports(monitor.type)) await this.requests.add(tx, id, locations, 'resumed', nowMs);
    await this.events.record(tx, [monitorEvent('monitor.resumed', monitor)], nowMs);
  }
}

function fault(pointer: string, code: FieldErrorCode, detail: string): ProblemException {
  return validationFailed([{ pointer, code, detail }]);
}

/** Returns when a pause ends, in epoch milliseconds; `null` if it lasts until it is ended. @throws 422 */
export function pauseEnd(dto: PauseMonitorDto, nowMs: number): number | null {
  if (dto.until != null && dto.durationSeconds != null) {
    throw fault('/durationSeconds', 'invalid_value', 'Set either until or durationSeconds, not both.');
  }
  if (dto.durationSeconds != null) return nowMs + dto.durationSeconds * 1_000;
  if (dto.until == null) return null;
  const untilMs = Date.parse(dto.until);
  if (untilMs <= nowMs) throw fault('/until', 'out_of_range', 'until must be in the future.');
  return untilMs;
}
