import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { managerOf, type Tx } from '../../../database/tx.js';
import { remembering } from '../../../domain/memo.js';
import { probeOf } from '../../../probes/index.js';
import { sharedLocations } from '../shared-locations.js';
import { type CheckPlan, type ScheduleHint, type ShardFilter } from './check-plan.types.js';
import { hint, HINT_CHANNEL } from './schedule-hints.js';
import { inShards } from './shard-filter.js';

interface PlanRecord {
  id: string;
  team_id: string;
  revision: number;
  type: string;
  definition: string;
  interval_seconds: number;
  timeout_ms: number;
  degraded_after_ms: number | null;
  failure_threshold: number;
  recovery_threshold: number;
  retry_interval_seconds: number | null;
  locations: string[];
}

/** Monitors per page, because reading all of them at once would produce much garbage each time. */
const ACTIVE_AT_ONCE = 5_000;
/** A monitor without an interval waits for reports, and is not checked. */
const ACTIVE =
  'interval_seconds > 0 AND (paused_at IS NULL OR paused_until <= now()) AND (expires_at IS NULL OR expires_at > now())';

/** Provides the dispatcher with the monitors of all teams that are checked on schedule, and with their plans. */
@Injectable()
export class ScheduleSourceService {
  private readonly logger = new Logger(ScheduleSourceService.name);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Yields the id and revision of every monitor that is currently checked on schedule, in pages: of these shards, or
   * of all.
   */
  async *active(filter: ShardFilter | null = null): AsyncGenerator<readonly { id: string; revision: number }[]> {
    for (let after: string | null = null; ;) {
      const rows: { id: string; revision: number }[] = await this.dataSource.query(
        `SELECT id, revision FROM monitors WHERE ($1::uuid IS NULL OR id > $1) AND ${ACTIVE} AND ${inShards('id', 3)}
         ORDER BY id LIMIT $2`,
        [after, ACTIVE_AT_ONCE, filter?.shards ?? null, filter?.of ?? null],
      );
      yield rows;
      if (rows.length < ACTIVE_AT_ONCE) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Returns the plans of these monitors, without those that are not currently checked on schedule. */
  async activePlans(ids: readonly string[]): Promise<CheckPlan[]> {
    return this.plansWhere(`id = ANY($1::uuid[]) AND ${ACTIVE}`, ids);
  }

  /** Returns the plans of these monitors, including paused ones. */
  async plans(ids: readonly string[]): Promise<CheckPlan[]> {
    return this.plansWhere('id = ANY($1::uuid[])', ids);
  }

  /** Sends a hint when the transaction commits. */
  announce(tx: Tx, what: ScheduleHint): Promise<void> {
    return hint(managerOf(tx), what);
  }

  /**
   * Listens for hints on a separate connection. Resolves once it is listening; calls `onLost` once if the connection is
   * lost. The returned function stops listening.
   */
  async listen(onHint: (hint: ScheduleHint) => void, onLost: () => void): Promise<() => Promise<void>> {
    const runner: QueryRunner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as HintClient;
    let open = true;
    const close = async (): Promise<void> => {
      if (!open) return;
      open = false;
      client.removeAllListeners('notification');
      await runner.query(`UNLISTEN ${HINT_CHANNEL}`).catch(() => undefined);
      await runner.release().catch(() => undefined);
    };
    client.on('notification', ({ payload }) => {
      try {
        onHint(JSON.parse(payload ?? '{}') as ScheduleHint);
      } catch (error) {
        this.logger.warn('could not process the notification of a schedule change', error);
      }
    });
    client.once('end', () => {
      if (open) onLost();
      open = false;
    });
    await runner.query(`LISTEN ${HINT_CHANNEL}`);
    return close;
  }

  private async plansWhere(condition: string, ids: readonly string[]): Promise<CheckPlan[]> {
    const rows: PlanRecord[] = await this.dataSource.query(
      `SELECT id, team_id, revision, type, definition::text, interval_seconds, timeout_ms, degraded_after_ms,
              failure_threshold, recovery_threshold, retry_interval_seconds, locations
       FROM monitors WHERE ${condition}`,
      [ids],
    );
    return rows.map((row) => ({
      monitorId: row.id,
      teamId: shared(row.team_id),
      revision: row.revision,
      type: shared(row.type),
      definition: withoutDefaults(row.type, row.definition),
      intervalMs: row.interval_seconds * 1_000,
      timeoutMs: row.timeout_ms,
      degradedAfterMs: row.degraded_after_ms,
      failureThreshold: row.failure_threshold,
      recoveryThreshold: row.recovery_threshold,
      retryIntervalMs: row.retry_interval_seconds === null ? null : row.retry_interval_seconds * 1_000,
      locations: sharedLocations(row.locations),
    }));
  }
}

/**
 * Removes fields that have the default of the type. Most fields do, and the definitions of all monitors are held in
 * memory, here and by the threads that run the checks.
 */
function withoutDefaults(type: string, definition: string): string {
  const defaults = (probeOf(type)?.defaults ?? {}) as Record<string, unknown>;
  const own = Object.entries(JSON.parse(definition) as object).filter(
    ([name, value]) => !(name in defaults && isDeepStrictEqual(value, defaults[name])),
  );
  return JSON.stringify(Object.fromEntries(own));
}

/** The driver creates a new string for each row. This stores strings that most monitors have in common only once. */
const shared = remembering((text) => text);

interface HintClient {
  on(event: 'notification', listener: (message: { payload?: string }) => void): void;
  once(event: 'end', listener: () => void): void;
  removeAllListeners(event: 'notification'): void;
}
