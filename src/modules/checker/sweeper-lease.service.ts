import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { Transactions, type Tx } from '../../database/tx.js';
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
  private renewing: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly lease: LeaseService,
    private readonly dispatcher: DispatcherService,
    private readonly transactions: Transactions,
  ) {}

  get isHeld(): boolean {
    return this.config.isShared ? performance.now() < this.heldUntil : this.dispatcher.figures.dispatching;
  }

  /**
   * Runs `work` for all monitors. Each of its transactions verifies the lease, which a process that was suspended has
   * lost in the meantime.
   * @throws SweeperLeaseLost
   */
  async hold(work: () => Promise<void>): Promise<void> {
    // Of processes that do not share the work, a single one has the lease of all monitors, and others only wait.
    if (!this.config.isShared) return work();
    return this.transactions.guarded((tx) => this.assertHeld(tx), work);
  }

  private async assertHeld(tx: Tx): Promise<void> {
    if ((await this.lease.lostIn(tx, 'sweeper', ['all'])).length > 0) throw new SweeperLeaseLost();
  }

  @Interval(RENEW_MS)
  renew(): Promise<void> {
    if (!this.config.isShared || !this.config.has('dispatcher') || this.stopped) return Promise.resolve();
    this.renewing ??= this.tryRenew().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async tryRenew(): Promise<void> {
    const askedAt = performance.now();
    try {
      const { grants } = await this.lease.renew('sweeper', new Map(this.isHeld ? [['all', 0]] : []));
      this.heldUntil = grants.length > 0 ? askedAt + LEASE_TTL_MS : Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not renew the lease of the sweeper', error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.renewing;
    if (this.config.isShared && this.isHeld) await this.lease.release('sweeper', ['all'], 0);
    this.heldUntil = Number.NEGATIVE_INFINITY;
  }
}

/** Another process now does what one does for all monitors. */
export class SweeperLeaseLost extends Error {
  override readonly name = 'SweeperLeaseLost';
}
