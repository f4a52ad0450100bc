import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { earlierNow } from '../../database/earlier-now.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';

const DAYS_AHEAD = 7;
const DROPS_PER_RUN = 2;
/** Waiting for a partition that is in use, for example by a backup, blocks its whole table. The next run tries again. */
const DROP_WAITS = '1s';
/** `duplicate_table`, and `unique_violation` of the system catalogue. */
const MADE_MEANWHILE = new Set(['42P07', '23505']);

/** Tables that are partitioned by day. */
const TABLES = ['checks', 'pings'] as const;

/**
 * Creates and drops the daily partitions of checks and pings. Partitions for late results are created when they are
 * needed.
 */
@Injectable()
export class PartitionsService implements OnApplicationBootstrap {
  private readonly logger = new Logger(PartitionsService.name);
  private readonly known = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.maintain();
  }

  /** Creates the partitions of the next 7 days and drops those that are older than `RETENTION_DAYS`, two per run. */
  @Interval(HOUR_MS)
  async maintain(): Promise<void> {
    try {
      const now = Date.now();
      await this.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => now + day * DAY_MS));
      await this.dropBefore((await earlierNow(this.dataSource)) - this.config.get('RETENTION_DAYS') * DAY_MS);
    } catch (error) {
      this.logger.error('partition maintenance failed; will retry within an hour', error);
    }
  }

  /** Creates the daily partitions for these times (epoch milliseconds) if they do not exist. */
  async ensure(times: Iterable<number>): Promise<void> {
    const days = new Set([...times].map((time) => Math.floor(time / DAY_MS)));
    for (const day of days) {
      for (const table of TABLES) await this.make(table, day);
    }
  }

  private async make(table: string, day: number): Promise<void> {
    const name = partitionName(table, day);
    if (this.known.has(name)) return;
    const bound = (at: number): string => new Date(at * DAY_MS).toISOString();
    await this.dataSource
      .query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM ('${bound(day)}') TO ('${bound(day + 1)}')`,
      )
      .catch(unlessMadeMeanwhile);
    this.known.add(name);
  }

  /** Drops only a few per run, so that a clock that is far ahead for an hour does not lead to the loss of all data. */
  private async dropBefore(time: number): Promise<void> {
    for (const table of TABLES) await this.dropOf(table, time);
  }

  private async dropOf(table: string, time: number): Promise<void> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = $3::regclass AND c.relname < $1 ORDER BY 1 LIMIT $2`,
      [partitionName(table, Math.floor(time / DAY_MS)), DROPS_PER_RUN, table],
    );
    for (const { name } of rows) {
      await this.dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = '${DROP_WAITS}'`);
        await manager.query(`DROP TABLE IF EXISTS ${name}`);
      });
      this.known.delete(name);
      this.logger.log(`dropped ${name}: older than RETENTION_DAYS`);
    }
  }
}

/** Ignores errors about a table that another transaction creates concurrently, which `IF NOT EXISTS` does not see. */
function unlessMadeMeanwhile(error: Error & { driverError?: { code?: string } }): void {
  if (!MADE_MEANWHILE.has(error.driverError?.code ?? '')) throw error;
}

function partitionName(table: string, day: number): string {
  return `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
