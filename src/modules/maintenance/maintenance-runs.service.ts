import { Injectable } from '@nestjs/common';
import { managerOf, Transactions } from '../../database/tx.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch } from '../../http/items/if-match.decorator.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound, validationFailed } from '../../http/problems/problem.js';
import { expectNoFields, validateBody } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { type MaintenanceWindowDto } from './dto/maintenance-window.dto.js';
import { StartMaintenanceWindowDto } from './dto/start-maintenance-window.dto.js';
import { lockWindow, MaintenancePassesService } from './maintenance-passes.service.js';
import { type MaintenanceWindow } from './maintenance-window.entity.js';
import { isActive, scheduleOf } from './maintenance-window.mapper.js';
import { MaintenanceWindowsService } from './maintenance-windows.service.js';
import { extensionEvent } from './window-events.js';

type Run = Partial<Pick<MaintenanceWindow, 'startedAt' | 'startedUntil' | 'cutAt'>>;

/** Starts and ends maintenance windows manually. */
@Injectable()
export class MaintenanceRunsService {
  constructor(
    private readonly windows: MaintenanceWindowsService,
    private readonly passes: MaintenancePassesService,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /** Starts a window now. If it was started manually and has not ended, replaces its end. @throws 404, 412, 422 */
  start(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch,
    keep: KeepAnswer,
  ): Promise<MaintenanceWindowDto> {
    const judge = (window: MaintenanceWindow): number =>
      durationMs(window, validateBody(StartMaintenanceWindowDto, body));
    return this.act(teamId, address, ifMatch, keep, judge, ({ startedAt, startedUntil }, lengthMs, nowMs) => {
      const runs = startedUntil !== null && startedUntil.getTime() > nowMs;
      return { startedAt: runs ? startedAt : new Date(nowMs), startedUntil: new Date(nowMs + lengthMs) };
    });
  }

  /** Ends a window that is active, manually or by schedule. Does nothing if it is not active. @throws 404, 412, 422 */
  end(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch,
    keep: KeepAnswer,
  ): Promise<MaintenanceWindowDto> {
    return this.act(
      teamId,
      address,
      ifMatch,
      keep,
      () => expectNoFields(body),
      (window, _, nowMs) =>
        isActive(window, nowMs) ? { startedAt: null, startedUntil: null, cutAt: new Date(nowMs) } : null,
    );
  }

  /** Runs a change of a window. `change` returns `null` if the window need not change. */
  private async act<T>(
    teamId: TeamId,
    address: string,
    ifMatch: IfMatch,
    keep: KeepAnswer,
    judge: (window: MaintenanceWindow) => T,
    change: (window: MaintenanceWindow, judged: T, nowMs: number) => Run | null,
  ): Promise<MaintenanceWindowDto> {
    const found = await this.windows.find(teamId, address);
    ifMatch.assert(found.revision);
    judge(found);
    return this.transactions.run(async (tx) => {
      const window = await lockWindow(managerOf(tx), { id: found.id, teamId });
      if (!window) throw notFound();
      ifMatch.assert(window.revision);
      const nowMs = Date.now();
      const settled = await this.passes.settle(tx, window, nowMs);
      const run = change(settled, judge(window), nowMs);
      const changed = run ? await this.passes.rewrite(tx, settled, run, nowMs) : settled;
      if (run) await this.events.record(tx, extensionEvent(settled, changed), nowMs);
      const answer = await this.windows.shownIn(tx, changed, nowMs);
      await keep.in(tx, answer);
      return answer;
    });
  }
}

function durationMs(window: MaintenanceWindow, { durationSeconds }: StartMaintenanceWindowDto): number {
  if (durationSeconds != null) return durationSeconds * 1_000;
  const schedule = scheduleOf(window);
  if (schedule) return schedule.endsAtMs - schedule.startsAtMs;
  const detail = 'A duration is required for a window without startsAt and endsAt.';
  throw validationFailed([{ pointer: '/durationSeconds', code: 'required', detail }]);
}
