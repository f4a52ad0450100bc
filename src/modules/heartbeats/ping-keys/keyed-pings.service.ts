import { Injectable } from '@nestjs/common';
import { actingAs } from '../../../http/auth/actor.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { MonitorWritesService } from '../../monitors/definition/monitor-writes.service.js';
import { HeartbeatIndexService, type IndexedHeartbeat } from '../heartbeat-index.service.js';
import { PingKeyIndexService } from './ping-key-index.service.js';
import { type KnownPingKey } from './ping-keys.service.js';

/** The schedule of a monitor that a report creates, until somebody changes it: once a day, an hour late at most. */
const SETTINGS = { schedule: { everySeconds: 86_400 }, graceSeconds: 3_600 };

/** Finds monitors by a ping key and their own key, and creates missing ones. */
@Injectable()
export class KeyedPingsService {
  constructor(
    private readonly pingKeys: PingKeyIndexService,
    private readonly index: HeartbeatIndexService,
    private readonly monitors: MonitorWritesService,
  ) {}

  /** Returns the monitor with this key in the team of the ping key; `null` if there is none. */
  async find(secret: string, monitorKey: string): Promise<IndexedHeartbeat | null> {
    const pingKey = await this.pingKeys.find(secret);
    return pingKey && this.index.findByKey(pingKey.teamId, monitorKey);
  }

  /**
   * Creates a monitor with this key in the team of the ping key, unless another report just did. Returns `null` if there
   * is no such ping key.
   * @throws ProblemException 422, 409 if the key belongs to a monitor of another type
   */
  async create(secret: string, monitorKey: string): Promise<IndexedHeartbeat | null> {
    const pingKey = await this.pingKeys.find(secret);
    if (!pingKey) return null;
    try {
      await this.createIn(pingKey, monitorKey);
    } catch (error) {
      const found = await this.index.findByKey(pingKey.teamId, monitorKey);
      if (found && error instanceof ProblemException && error.code === 'key_taken') return found;
      throw error;
    }
    return this.index.findByKey(pingKey.teamId, monitorKey);
  }

  private async createIn({ id, name, teamId }: KnownPingKey, key: string): Promise<void> {
    const body = { type: 'heartbeat', key, name: key, settings: SETTINGS };
    await actingAs({ type: 'ping_key', id, name }, () => this.monitors.create(teamId as TeamId, body));
  }
}
