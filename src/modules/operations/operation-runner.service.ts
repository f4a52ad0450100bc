import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../../database/database-fault.js';
import { continuingAs } from '../../http/auth/actor.js';
import { asProblemException } from '../../http/problems/problem.filter.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { MonitorActionsService } from './monitor-actions.service.js';
import { type ClaimedOperation, OperationClaimsService } from './operation-claims.service.js';
import { ItemProcessed, type OpenItem, OperationItemsService } from './operation-items.service.js';

const BATCH = 100;
/** Monitors of a batch that change at the same time, each in its own transaction: most of the time is commits. */
const LANES = 2;
/** A team with this many open requests for checks gets no more from operations, until some are recorded. */
const MAX_REQUESTS = 1_000;
const REQUESTS_CHECKS: ReadonlySet<string> = new Set(['check', 'resume']);

/** `waiting`: checks that were requested before must be recorded first. `stopped`: the process is stopping. */
type BatchOutcome = 'finished' | 'unfinished' | 'waiting' | 'stopped';

/**
 * Processes claimed operations batch by batch. Each monitor is changed in a transaction of its own, which holds the lock
 * that the recorder also needs for a few milliseconds; monitors follow in ascending order of id, as for every writer.
 */
@Injectable()
export class OperationRunnerService {
  private readonly logger = new Logger(OperationRunnerService.name);
  private stopped = false;

  constructor(
    private readonly claims: OperationClaimsService,
    private readonly items: OperationItemsService,
    private readonly actions: MonitorActionsService,
    private readonly requests: CheckRequestsService,
  ) {}

  /** Leaves operations to other processes, or to the next one, as soon as the changes in progress have ended. */
  stop(): void {
    this.stopped = true;
  }

  /** Processes one batch, and then releases the claim. Errors leave the rest of the batch to the next attempt. */
  async runBatch(operation: ClaimedOperation): Promise<void> {
    await this.holding(operation, () => this.batch(operation));
  }

  /** Processes batches for at most `forMs`. Returns whether the operation finished; otherwise, releases its claim. */
  async runAll(operation: ClaimedOperation, forMs: number): Promise<boolean> {
    const until = performance.now() + forMs;
    return this.holding(operation, async () => {
      let outcome = await this.batch(operation);
      while (outcome === 'unfinished' && performance.now() < until && (await this.claims.renew(operation))) {
        outcome = await this.batch(operation);
      }
      return outcome;
    });
  }

  /** Releases the claim after the work, unless the operation is finished. Returns whether it is. */
  private async holding(operation: ClaimedOperation, work: () => Promise<BatchOutcome>): Promise<boolean> {
    try {
      const outcome = await work();
      if (outcome !== 'finished') await this.claims.release(operation, outcome === 'waiting');
      return outcome === 'finished';
    } catch (error) {
      // If that fails as well, the claim expires.
      await this.claims.release(operation, true).catch(() => undefined);
      throw error;
    }
  }

  private async batch(operation: ClaimedOperation): Promise<BatchOutcome> {
    const room = await this.room(operation);
    if (room === 0) return 'waiting';
    const open = await this.items.open(operation, Math.min(BATCH, room));
    const queue = open.values();
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => this.work(operation, queue)));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    if (this.stopped) return 'stopped';
    if ((await this.items.open(operation, 1)).length > 0) return 'unfinished';
    await this.claims.finish(operation);
    return 'finished';
  }

  /** Returns how many monitors may be processed now. */
  private async room({ teamId, action }: ClaimedOperation): Promise<number> {
    if (!REQUESTS_CHECKS.has(action.kind)) return BATCH;
    return MAX_REQUESTS - (await this.requests.waiting(teamId, MAX_REQUESTS));
  }

  private async work(operation: ClaimedOperation, queue: Iterable<OpenItem>): Promise<void> {
    for (const item of queue) {
      if (this.stopped) return;
      await this.process(operation, item);
    }
  }

  private async process(operation: ClaimedOperation, item: OpenItem): Promise<void> {
    const { teamId, action, actor } = operation;
    const keep = this.items.keeping(operation, item);
    try {
      // The loop may have been started by a request of another team, or by none.
      await continuingAs(actor, () => this.actions.apply(teamId, item.address, action, keep));
    } catch (error) {
      if (error instanceof ItemProcessed) return;
      if (isDatabaseAway(error)) throw error;
      const problem = asProblemException(error);
      if (problem.getStatus() >= 500) this.logger.error(`could not ${action.kind} monitor ${item.address}`, error);
      await this.items.fail(operation, item, problem);
    }
  }
}
