import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { DispatcherService } from './dispatcher.service.js';
import { LEASE_TTL_MS, LeaseService } from './lease.service.js';

const RENEW_MS = 1_000;

/**
 * The right to do what one process does for all monitors, such as to end pauses. Where processes do not share the work,
 * the one that dispatches has it.
 */
@Injectable()
export class SweeperLeaseService {
  private readonly logger = new Logger(SweeperLeaseService.name);
  private heldUntil = Number.NEGATIVE_INFINITY;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly lease: LeaseService,
    private readonly dispatcher: DispatcherService,
  ) {}

  get isHeld(): boolean {
    return this.config.isShared ? performance.now() < this.heldUntil : this.dispatcher.figures.dispatching;
  }

  @Interval(RENEW_MS)
  async renew(): Promise<void> {
    if (!this.config.isShared || !this.config.has('dispatcher') || this.stopped) return;
    const askedAt = performance.now();
    try {
      const { grants } = await this.lease.renew('sweeper', this.isHeld ? ['all'] : [], 0);
      this.heldUntil = grants.length > 0 ? askedAt + LEASE_TTL_MS : Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not renew the lease of the sweeper', error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.config.isShared && this.isHeld) await this.lease.release('sweeper', ['all'], 0);
    this.heldUntil = Number.NEGATIVE_INFINITY;
  }
}
