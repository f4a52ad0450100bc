import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { Transactions } from '../../database/tx.js';
import { CheckQueueStateService } from '../checker/check-queue-state.service.js';
import { FAR_AHEAD_MS, SlotClockService } from '../checker/slot-clock.service.js';
import { type PartDto, type ReadyDto } from './dto/health.dto.js';

const PATIENCE_MS = 2_000;

const part = (name: string, isFine: boolean): PartDto => ({ name, status: isFine ? 'ok' : 'failing', detail: null });

/** Determines whether this process can serve requests. */
@Injectable()
export class HealthService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: SlotClockService,
    private readonly config: AppConfig,
    private readonly queue: CheckQueueStateService,
  ) {}

  /** Returns the readiness of each part, within about 2 s even if the database hangs. */
  async ready(): Promise<ReadyDto> {
    const answers = await this.databaseAnswers();
    const parts = [
      part('database', answers),
      part('writes', answers && !this.transactions.areRefused),
      this.clockPart(),
      ...(this.config.isShared ? [this.redisPart()] : []),
    ];
    return { status: parts.some(({ status }) => status === 'failing') ? 'failing' : 'ok', parts };
  }

  private clockPart(): PartDto {
    const aheadMs = this.clock.aheadMs();
    if (aheadMs <= FAR_AHEAD_MS) return part('clock', true);
    const detail = `The ${this.clock.source} was set back: check timestamps are ${Math.round(aheadMs / 1_000)} s ahead of it.`;
    return { name: 'clock', status: 'warning', detail };
  }

  /** The API works without Redis, so that a process that only serves it is ready. */
  private redisPart(): PartDto {
    const { fault } = this.queue;
    if (fault === null) return part('redis', true);
    const isNeeded = this.config.has('dispatcher', 'worker', 'recorder');
    return { name: 'redis', status: isNeeded ? 'failing' : 'warning', detail: fault };
  }

  private databaseAnswers(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
      this.dataSource
        .query('SELECT 1')
        .then(
          () => resolve(true),
          () => resolve(false),
        )
        .finally(() => clearTimeout(timer));
    });
  }
}
