import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { type Tx } from '../../database/tx.js';
import { type Shard, shardOf } from '../../domain/shard.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { CheckQueue, type CheckResult } from './check-queue.js';
import { LeaseLost } from './lease-lost.js';
import { LeaseService } from './lease.service.js';

const RENEW_MS = 1_000;

/**
 * The shards whose results this process records, if processes share them: so results of a monitor are recorded by one
 * process, in order. Two at once would be harmless, but would each discard what the other has in memory.
 */
@Injectable()
export class RecorderLeasesService {
  private readonly logger = new Logger(RecorderLeasesService.name);
  private held: readonly Shard[] = [];
  private renewing: Promise<void> | null = null;
  private giving: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly queue: CheckQueue,
    private readonly lease: LeaseService,
    private readonly locations: KnownLocationsService,
  ) {}

  private get isUsed(): boolean {
    return this.config.isShared && this.config.has('recorder');
  }

  /** How many shards this process records. Without sharing, a process records what it dispatches, and this is 0. */
  get shards(): number {
    return this.held.length;
  }

  /** Takes leases, and renews those that are held. While the database is away, no other process can take them. */
  @Interval(RENEW_MS)
  renew(): Promise<void> {
    if (!this.isUsed || this.stopped) return Promise.resolve();
    this.renewing ??= this.tryRenew().finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** Receives no more results. The leases remain until `stop`, so that those that have arrived can be recorded. */
  async stopReceiving(): Promise<void> {
    this.stopped = true;
    await this.renewing;
    await this.queue.record([], []);
  }

  async stop(): Promise<void> {
    await this.giving;
    if (this.isUsed) await this.lease.resign('recorder');
    if (this.held.length > 0) await this.lease.release('recorder', this.held, 0);
    this.held = [];
  }

  /** Reports of jobs need no lease. @throws LeaseLost if another process records one of these results now */
  async assertHeld(tx: Tx, results: readonly CheckResult[]): Promise<void> {
    if (!this.isUsed) return;
    const received = results.filter(({ ping }) => ping === undefined);
    if (received.length === 0) return;
    const of = this.config.get('SHARDS');
    const shards = [...new Set(received.map(({ monitorId }) => shardOf(monitorId, of)))];
    const lost = new Set(await this.lease.lostIn(tx, 'recorder', shards));
    if (lost.size > 0) throw new LeaseLost((monitorId) => lost.has(shardOf(monitorId, of)));
  }

  private async tryRenew(): Promise<void> {
    try {
      const { grants, surplus } = await this.lease.renew('recorder', new Map(this.held.map((shard) => [shard, 0])));
      const held = grants.map(({ shard }) => shard);
      const isSame = held.length === this.held.length && held.every((shard) => this.held.includes(shard));
      this.held = held;
      if (!isSame) this.logger.log(`recording shards ${held.join(', ')}`);
      const stopped = this.queue.record(held, this.locations.keys);
      this.giving = Promise.all([this.giving, this.give(surplus, stopped)]).then(() => undefined);
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not renew the leases of recorded shards', error);
    }
  }

  /**
   * Releases leases once their results are no longer received. Renewals do not wait for that, because the other leases
   * would expire meanwhile. Never rejects.
   */
  private async give(shards: readonly Shard[], stopped: Promise<void>): Promise<void> {
    try {
      await stopped;
      // Some may have been taken again.
      const given = shards.filter((shard) => !this.held.includes(shard));
      if (given.length > 0) await this.lease.release('recorder', given, 0);
    } catch (error) {
      this.logger.error('could not give recorded shards to other processes', error);
    }
  }
}
