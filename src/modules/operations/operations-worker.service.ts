import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { HOUR_MS } from '../../domain/durations.js';
import { OperationClaimsService } from './operation-claims.service.js';
import { OperationRunnerService } from './operation-runner.service.js';

const LOOK_MS = 1_000;
/** How long a shutdown waits for changes in progress. What is not over by then is done again, unless it was committed. */
const STOP_MS = 2_000;
const FAILURE = 'processing operations failed; will retry';
const EXPIRED_PER_DELETE = 20;

/** Works on unfinished operations in the background, one batch of each in turn, and deletes old ones. */
@Injectable()
export class OperationsWorkerService implements OnModuleDestroy {
  private readonly logger = new Logger(OperationsWorkerService.name);
  private working: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly claims: OperationClaimsService,
    private readonly runner: OperationRunnerService,
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  /** Works until nothing is left to do. Never throws: what is left is done next time, here or in another process. */
  @Interval(LOOK_MS)
  work(): Promise<void> {
    if (!this.config.has('api')) return Promise.resolve();
    this.working ??= this.workAll().finally(() => (this.working = null));
    return this.working;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.runner.stop();
    await Promise.race([this.working, delay(STOP_MS, undefined, { ref: false })]);
  }

  /** Deletes operations that finished more than 30 days ago. Never throws: what is left is deleted next time. */
  @Interval(HOUR_MS)
  async deleteExpired(): Promise<void> {
    await deleteInBatches(EXPIRED_PER_DELETE, () => this.deleteSomeExpired(), this.logger, FAILURE);
  }

  private async workAll(): Promise<void> {
    try {
      while (!this.stopped) {
        const operation = await this.claims.next();
        if (!operation) return;
        await this.runner.runBatch(operation);
      }
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(FAILURE, error);
    }
  }

  private async deleteSomeExpired(): Promise<number> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `DELETE FROM operations WHERE id IN (
         SELECT id FROM operations WHERE finished_at < now() - interval '30 days'
         ORDER BY finished_at LIMIT ${EXPIRED_PER_DELETE} FOR UPDATE SKIP LOCKED)`,
    );
    return deleted;
  }
}
