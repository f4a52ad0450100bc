import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

const FLUSH_MS = 30_000;

/** Remembers when keys were last used and writes it down now and then: never a write for a request. */
@Injectable()
export class LastUsesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUsesService.name);
  private uses = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** A key was used at this time (epoch milliseconds). */
  note(keyId: string, at: number): void {
    this.uses.set(keyId, Math.max(at, this.uses.get(keyId) ?? 0));
  }

  /** Before the data source closes; a request that is still under way may lose its mark. */
  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Writes what was noted. Never throws: what could not be written is kept for the next time. */
  @Interval(FLUSH_MS)
  async flush(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    try {
      await this.write(uses);
    } catch (error) {
      for (const [keyId, at] of uses) this.note(keyId, at);
      this.logger.warn(`the last use of ${uses.size} keys is not written yet: ${String(error)}`);
    }
  }

  /** Never moves a time back: other processes write theirs. All lock in one order, so they do not deadlock. */
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
