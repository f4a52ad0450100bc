import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { GatheredReads } from '../../database/gathered-reads.js';
import { HeartbeatsService } from '../monitors/heartbeat/heartbeats.service.js';
import { type HeartbeatTarget } from '../monitors/heartbeat/ping.types.js';
import { ScheduleSourceService } from '../monitors/schedule/schedule-source.service.js';
import { PingKeyIndexService } from './ping-keys/ping-key-index.service.js';
import { PingLimit } from './ping-limit.js';

const COMPARE_MS = 30_000;

interface NamedMonitor {
  teamId: string;
  key: string;
}

/** A monitor to which a job reports. */
export interface IndexedHeartbeat {
  target: HeartbeatTarget;
  limit: PingLimit;
}

/**
 * Finds monitors by the tokens of their jobs and by their keys in memory, so that reports are accepted while the database
 * is away. What is not in memory is looked up, so that a new monitor accepts reports at once.
 */
@Injectable()
export class HeartbeatIndexService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(HeartbeatIndexService.name);
  private readonly byMac = new Map<string, IndexedHeartbeat>();
  private readonly macOf = new Map<string, string>();
  /** The keyed hashes of tokens, by team and key. */
  private readonly macOfKey = new Map<string, string>();
  private readonly lookUps = new GatheredReads((macs: readonly string[]) => this.lookUp(macs));
  private readonly keyLookUps = new GatheredReads((named: readonly NamedMonitor[]) => this.lookUpKeys(named));
  private stopListening: (() => Promise<void>) | null = null;
  private working: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly heartbeats: HeartbeatsService,
    private readonly source: ScheduleSourceService,
    private readonly pingKeys: PingKeyIndexService,
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

  /** Returns the monitor with this key in a team. Otherwise like `find`. */
  async findByKey(teamId: string, key: string): Promise<IndexedHeartbeat | null> {
    const named = { teamId, key };
    return this.named(named) ?? (await this.keyLookUps.get(named));
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
      await this.pingKeys.reload();
      if (this.isNeeded && this.stopListening === null) await this.listen();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the tokens of heartbeats; will retry', error);
    }
  }

  private async listen(): Promise<void> {
    this.stopListening = await this.source.listen(
      ({ monitorId, pingKeys }) => {
        if (monitorId !== undefined && this.macOf.has(monitorId)) this.follow(() => this.load([monitorId]));
        if (pingKeys) this.follow(() => this.pingKeys.reload());
      },
      () => (this.stopListening = null),
    );
  }

  private follow(read: () => Promise<void>): void {
    read().catch((error: unknown) => {
      this.logger.debug('could not read what has changed; the next comparison finds it', error);
    });
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
    this.listenOnceNeeded();
    return macs.map((mac) => this.byMac.get(mac) ?? null);
  }

  private async lookUpKeys(named: readonly NamedMonitor[]): Promise<(IndexedHeartbeat | null)[]> {
    for (const target of await this.heartbeats.targetsOfKeys(named)) this.keep(target);
    this.listenOnceNeeded();
    return named.map((one) => this.named(one));
  }

  private named(named: NamedMonitor): IndexedHeartbeat | null {
    return this.byMac.get(this.macOfKey.get(nameOf(named)) ?? '') ?? null;
  }

  /** Whether there is anything whose changes matter. */
  private get isNeeded(): boolean {
    return this.macOf.size > 0 || !this.pingKeys.isEmpty;
  }

  private listenOnceNeeded(): void {
    if (this.isNeeded && this.stopListening === null) void this.compare();
  }

  private keep(target: HeartbeatTarget): void {
    const { monitorId, mac, teamId, key } = target;
    const limit = this.byMac.get(this.macOf.get(monitorId) ?? '')?.limit ?? new PingLimit();
    this.forget(monitorId);
    this.macOf.set(monitorId, mac);
    this.byMac.set(mac, { target, limit });
    if (key !== null) this.macOfKey.set(nameOf({ teamId, key }), mac);
  }

  private forget(monitorId: string): void {
    const mac = this.macOf.get(monitorId);
    if (mac === undefined) return;
    const { teamId, key } = this.byMac.get(mac)!.target;
    const name = key === null ? null : nameOf({ teamId, key });
    // The key may belong to another monitor by now.
    if (name !== null && this.macOfKey.get(name) === mac) this.macOfKey.delete(name);
    this.macOf.delete(monitorId);
    this.byMac.delete(mac);
  }

  private revisionOf(monitorId: string): number | undefined {
    return this.byMac.get(this.macOf.get(monitorId) ?? '')?.target.revision;
  }
}

function nameOf({ teamId, key }: NamedMonitor): string {
  return `${teamId}/${key}`;
}
