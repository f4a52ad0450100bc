import { Injectable } from '@nestjs/common';
import { GatheredReads } from '../../../database/gathered-reads.js';
import { type KnownPingKey, PingKeysService } from './ping-keys.service.js';

/**
 * Finds ping keys in memory, so that reports are accepted while the database is away. A key that is not in memory is
 * looked up, so that a new one is accepted at once.
 */
@Injectable()
export class PingKeyIndexService {
  private byMac = new Map<string, KnownPingKey>();
  private readonly lookUps = new GatheredReads((macs: readonly string[]) => this.lookUp(macs));

  constructor(private readonly keys: PingKeysService) {}

  /** Returns whether no key is in memory. */
  get isEmpty(): boolean {
    return this.byMac.size === 0;
  }

  /** Returns the key with this secret; `null` if there is none. Throws if only the database can tell and it is away. */
  async find(secret: string): Promise<KnownPingKey | null> {
    const mac = this.keys.macOf(secret).toString('base64');
    return this.byMac.get(mac) ?? (await this.lookUps.get(mac));
  }

  /** Reads all keys anew, so that deleted ones are no longer accepted. */
  async reload(): Promise<void> {
    this.byMac = new Map((await this.keys.known()).map((key) => [key.mac.toString('base64'), key]));
  }

  private async lookUp(macs: readonly string[]): Promise<(KnownPingKey | null)[]> {
    const found = await this.keys.known(macs.map((mac) => Buffer.from(mac, 'base64')));
    for (const key of found) this.byMac.set(key.mac.toString('base64'), key);
    return macs.map((mac) => this.byMac.get(mac) ?? null);
  }
}
