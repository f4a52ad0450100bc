import { v7 as uuidv7 } from 'uuid';
import { type AppConfig } from '../../../config/app-config.js';
import { VERSION } from '../../../probes/http/user-agent.js';
import { type RedisLinks } from '../../../redis/redis-links.js';
import {
  readReport,
  SEEN_WITHIN_MS,
  type WorkerFigures,
  type WorkerReport,
  workersKey,
} from '../../../redis/worker-report.js';
import { WorkerPresence } from '../worker-presence.js';

/** The presence of a worker that has no database. */
export class RedisPresence extends WorkerPresence {
  private readonly id = uuidv7();
  private startedAt = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly links: RedisLinks,
  ) {
    super();
  }

  async report(figures: WorkerFigures): Promise<void> {
    const { commands } = this.links;
    const nowMs = Math.floor(await this.links.now());
    this.startedAt ||= nowMs;
    const report: WorkerReport = {
      id: this.id,
      version: VERSION,
      startedAt: this.startedAt,
      lastSeenAt: nowMs,
      ...figures,
    };
    await commands.hset(this.key, this.id, JSON.stringify(report));
    // Those that were killed, which nobody else removes, and what is no report.
    const all = await commands.hgetall(this.key);
    const gone = Object.keys(all).filter((id) => {
      const lastSeenAt = readReport(all[id]!)?.lastSeenAt ?? 0;
      return lastSeenAt < nowMs - SEEN_WITHIN_MS;
    });
    if (gone.length > 0) await commands.hdel(this.key, ...gone);
  }

  async leave(): Promise<void> {
    if (this.links.isReady) await this.links.commands.hdel(this.key, this.id);
  }

  private get key(): string {
    return workersKey(this.config.get('REDIS_PREFIX'), this.config.get('LOCATION'));
  }
}
