import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isDatabaseAway } from '../../database/database-fault.js';
import { HOUR_MS } from '../../domain/durations.js';
import { RollupOrderService } from '../uptime/rollup-order.service.js';
import { ResultIntakeService } from './result-intake.service.js';
import { SweeperLeaseService } from './sweeper-lease.service.js';

const LOOK_MS = 60_000;

/**
 * Gathers roll-ups once an hour, in the process with the lease of the sweeper, while results are recorded as fast as they
 * arrive.
 */
@Injectable()
export class HousekeepingService {
  private readonly logger = new Logger(HousekeepingService.name);
  private working = false;
  private doneHour: number | null = null;

  constructor(
    private readonly order: RollupOrderService,
    private readonly lease: SweeperLeaseService,
    private readonly intake: ResultIntakeService,
  ) {}

  /** Does the work of the current hour unless it is done. Never throws: unfinished work is retried within the hour. */
  @Interval(LOOK_MS)
  async tidy(now = Date.now()): Promise<void> {
    const hour = Math.floor(now / HOUR_MS);
    if (this.working || hour === this.doneHour || !this.isFree()) return;
    this.working = true;
    try {
      if (await this.order.gather(now, () => this.isFree())) this.doneHour = hour;
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not compute roll-ups; will retry', error);
    } finally {
      this.working = false;
    }
  }

  private isFree(): boolean {
    return this.lease.isHeld && !this.intake.isBehind;
  }
}
