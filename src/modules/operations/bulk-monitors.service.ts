import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { TeamShares } from '../../http/throttle/team-shares.js';
import { MonitorRulesService } from '../monitors/definition/monitor-rules.service.js';
import { type BulkRequest, readBulkRequest } from './bulk-request.js';
import { BulkSelectionService } from './bulk-selection.service.js';
import { type CompletedOperationDto, type OperationDto } from './dto/operation.dto.js';
import { OperationRunnerService } from './operation-runner.service.js';
import { OperationsWorkerService } from './operations-worker.service.js';
import { OperationsService } from './operations.service.js';

/** The largest number of monitors that is processed while the caller waits. */
const MAX_AT_ONCE = 200;
/** For this long: a slow database, or many requested checks, may take longer. */
const WITHIN_MS = 20_000;

/** Applies actions to many monitors: to a few while the caller waits, to more in the background. */
@Injectable()
export class BulkMonitorsService {
  /** Limits each team, so that its requests leave database connections to other teams. */
  private readonly shares = new TeamShares({ atOnce: 2, mostWaiting: 20, noun: 'bulk requests' });

  constructor(
    private readonly selection: BulkSelectionService,
    private readonly operations: OperationsService,
    private readonly runner: OperationRunnerService,
    private readonly worker: OperationsWorkerService,
    private readonly rules: MonitorRulesService,
  ) {}

  /**
   * Starts an action, and waits until it has finished if it is small. Of a repeated request, the stored response is that
   * of an unfinished operation until this one is returned. @throws 422, 429
   */
  start(
    teamId: TeamId,
    author: string,
    body: unknown,
    keep: KeepAnswer,
  ): Promise<{ completed: CompletedOperationDto } | { started: OperationDto }> {
    const request = readBulkRequest(body, Date.now(), (patch) => this.rules.patchFaults(patch));
    return this.shares.run(teamId, () => this.startNow(teamId, author, request, keep));
  }

  private async startNow(teamId: TeamId, author: string, { action, select }: BulkRequest, keep: KeepAnswer) {
    const targets = await this.selection.targets(teamId, select);
    const claim = targets.length <= MAX_AT_ONCE;
    const operation = await this.operations.create({ teamId, author, action, targets, claim }, keep);
    const isFinished = claim && (await this.runner.runAll(operation, WITHIN_MS));
    const shown = await this.operations.get(teamId, operation.id);
    if (isFinished) return { completed: { ...shown, results: await this.operations.allResults(operation) } };
    void this.worker.work();
    return { started: shown };
  }
}
