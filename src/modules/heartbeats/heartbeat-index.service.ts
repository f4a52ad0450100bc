import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { GatheredReads } from '../../database/gathered-reads.js';
import { HeartbeatsService } from '../monitors/heartbeat/heartbeats.service.js';
import { type HeartbeatTarget } from '../monitors/heartbeat/ping.types.js';
import { ScheduleSourceService } from '../monitors/schedule/schedule-source.service.js';
import { PingLimit } from './ping-limit.js';

const COMPARE_MS = 30_000;

/** A monitor to which a job reports. */
export interface IndexedHeartbeat {
  target: HeartbeatTarget;
  limit: PingLimit;
}

/**
 * Finds monitors by the tokens of their jobs in memory, so that reports are accepted while the database is away. A token
 * that is not in memory is looked up, so that a new monitor accepts reports at once.
 */
@Injectable()
export class HeartbeatIndexService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(HeartbeatIndexService.name);
  private readonly byMac = new Map<string, IndexedHeartbeat>();
  private readonly macOf = new Map<string, string>();
  private readonly lookUps = new GatheredReads((macs: readonly string[]) => this.lookUp(macs));
  private stopListening: (() => Promise<void>) | null = null;
  private working: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly heartbeats: HeartbeatsService,
    private readonly source: ScheduleSourceService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.compare();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.working;
    await this.stopListening?.();
  }

  /**
   * Returns the monitor with this token, or `null` if there is none. Throws if the token is not in memory and the
   * database is unavailable.
   */
  async find(token: string): Promise<IndexedHeartbeat | null> {
    const mac = this.heartbeats.macOf(token).toString('base64');
    return this.byMac.get(mac) ?? (await this.lookUps.get(mac));
  }

  /** Finds changes that were not reported, and begins to listen for changes once there is a monitor. */
  @Interval(COMPARE_MS)
  compare(): Promise<void> {
    if (!this.config.has('api') || this.stopped) return Promise.resolve();
    this.working ??= this.compareNow().finally(() => (this.working = null));
    return this.working;
  }

  private async compareNow(): Promise<void> {
    try {
      const gone = new Set(this.macOf.keys());
      const changed: string[] = [];
      for await (const some of this.heartbeats.revisions()) {
        for (const { id, revision } of some) {
          gone.delete(id);
          if (this.revisionOf(id) !== revision) changed.push(id);
        }
      }
      for (const id of gone) this.forget(id);
      await this.load(changed);
      if (this.macOf.size > 0 && this.stopListening === null) await this.listen();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the tokens of heartbeats; will retry', error);
    }
  }

  private async listen(): Promise<void> {
    this.stopListening = await this.source.listen(
      ({ monitorId }) => {
        if (monitorId !== undefined && this.macOf.has(monitorId)) void this.follow(monitorId);
      },
      () => (this.stopListening = null),
    );
  }

  private async follow(monitorId: string): Promise<void> {
    try {
      await this.load([monitorId]);
    } catch (error) {
      this.logger.debug('could not read a changed heartbeat; the next comparison finds it', error);
    }
  }

  private async load(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const targets = await this.heartbeats.targets(ids);
    const found = new Set(targets.map(({ monitorId }) => monitorId));
    for (const id of ids) if (!found.has(id)) this.forget(id);
    for (const target of targets) this.keep(target);
  }

  private async lookUp(macs: readonly string[]): Promise<(IndexedHeartbeat | null)[]> {
    for (const target of await this.heartbeats.targetsOfMacs(macs)) this.keep(target);
    if (this.macOf.size > 0 && this.stopListening === null) void this.compare();
    return macs.map((mac) => this.byMac.get(mac) ?? null);
  }

  private keep(target: HeartbeatTarget): void {
    const { monitorId, mac } = target;
    const limit = this.byMac.get(this.macOf.get(monitorId) ?? '')?.limit ?? new PingLimit();
    this.forget(monitorId);
    this.macOf.set(monitorId, mac);
    this.byMac.set(mac, { target, limit });
  }

  private forget(monitorId: string): void {
    const mac = this.macOf.get(monitorId);
    if (mac === undefined) return;
    this.macOf.delete(monitorId);
    this.byMac.delete(mac);
  }

  private revisionOf(monitorId: string): number | undefined {
    return this.byMac.get(this.macOf.get(monitorId) ?? '')?.target.revision;
  }
}
