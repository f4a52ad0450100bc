import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 7;
const HOUR_MS = 3_600_000;
const DROPS_PER_RUN = 2;
/** `duplicate_table`, `unique_violation` of the catalogue. */
const MADE_MEANWHILE = new Set(['42P07', '23505']);

/** Results may arrive late, and be as old as the retention: their days' partitions are made when they are met. */
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

  /** Makes the partitions of the coming days and drops those that retention has let go. */
  @Interval(HOUR_MS)
  async maintain(now = Date.now()): Promise<void> {
    try {
      await this.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => now + day * DAY_MS));
      await this.dropBefore(now - this.config.get('RETENTION_DAYS') * DAY_MS);
    } catch (error) {
      this.logger.error('partition maintenance failed, it runs again within the hour', error);
    }
  }

  /** Makes the daily partitions that hold these times (epoch milliseconds), where they are missing. */
  async ensure(times: Iterable<number>): Promise<void> {
    const days = new Set([...times].map((time) => Math.floor(time / DAY_MS)));
    for (const day of days) {
      const name = partitionName(day);
      if (this.known.has(name)) continue;
      const bound = (at: number): string => new Date(at * DAY_MS).toISOString();
      await this.dataSource
        .query(
          `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF checks FOR VALUES FROM ('${bound(day)}') TO ('${bound(day + 1)}')`,
        )
        .catch(unlessMadeMeanwhile);
      this.known.add(name);
    }
  }

  /** Drops a few at a time: a clock that runs ahead for an hour must not cost all data. */
  private async dropBefore(time: number): Promise<void> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'checks'::regclass AND c.relname < $1 ORDER BY 1 LIMIT $2`,
      [partitionName(Math.floor(time / DAY_MS)), DROPS_PER_RUN],
    );
    for (const { name } of rows) {
      await this.dataSource.query(`DROP TABLE IF EXISTS ${name}`);
      this.known.delete(name);
      this.logger.log(`dropped ${name}: older than RETENTION_DAYS`);
    }
  }
}

/** `IF NOT EXISTS` does not see what another transaction is just making. */
function unlessMadeMeanwhile(error: Error & { driverError?: { code?: string } }): void {
  if (!MADE_MEANWHILE.has(error.driverError?.code ?? '')) throw error;
}

function partitionName(day: number): string {
  return `checks_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
