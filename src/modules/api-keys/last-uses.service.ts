import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

const FLUSH_MS = 30_000;

/** Records when keys were last used, and writes it in batches: a request never causes a write of its own. */
@Injectable()
export class LastUsesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUsesService.name);
  private uses = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** Records that a key was used at `at` (epoch milliseconds). */
  note(keyId: string, at: number): void {
    this.uses.set(keyId, Math.max(at, this.uses.get(keyId) ?? 0));
  }

  /** Flushes before the data source closes; the use by a request still in progress may be lost. */
  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Writes the recorded uses. Never throws: uses that could not be written are retained for the next flush. */
  @Interval(FLUSH_MS)
  async flush(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    try {
      await this.write(uses);
    } catch (error) {
      for (const [keyId, at] of uses) this.note(keyId, at);
      this.logger.warn(`could not store the last use of ${uses.size} API keys; will retry: ${String(error)}`);
    }
  }

  /** Never moves a time backward, since other processes write theirs. Locks rows in one order, to avoid deadlocks. */
  private async write(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.dataSource.query(
      `WITH locked AS (
         SELECT k.id, u.at FROM api_keys k JOIN unnest($1::uuid[], $2::timestamptz[]) AS u (id, at) ON u.id = k.id
         WHERE k.last_used_at IS NULL OR k.last_used_at < u.at
         ORDER BY k.id FOR NO KEY UPDATE OF k
       )
       UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, locked.at) FROM locked WHERE k.id = locked.id`,
      [[...uses.keys()], [...uses.values()].map((at) => new Date(at))],
    );
  }
}
