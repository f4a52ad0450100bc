import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { type Role } from '../../config/roles.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { VERSION } from '../../probes/http/user-agent.js';
import { queuesPlace } from '../../redis/queues-place.js';
import { type WorkerFigures } from '../../redis/worker-report.js';
import { CheckQueue } from './check-queue.js';
import { WorkerPresence } from './worker-presence.js';

const FORGOTTEN_AFTER = '1 day';
/**
 * A process to which the queue has not responded for this long has no share while it responds to others. Processes learn
 * of a loss up to three seconds apart, and a loss to all of them must not move any shard.
 */
const WITHOUT_QUEUE_MS = 3_500;
/** Those others must have used the queue for this long, because not all processes connect again at once. */
const WITH_QUEUE_MS = 10_000;
/** A process that lost its share gets it back once it has used the queue for this long: a bad link must not move it often. */
const REJOINS_AFTER_MS = 10_000;

/** Knows the processes that share the work. Only those that may have to share, or make checks, report. */
@Injectable()
export class ProcessesService extends WorkerPresence {
  /** Identifies this process. */
  readonly id = uuidv7();
  private roles: readonly Role[];
  /** Whether the queue has responded to this process since its start. */
  private hasResponded = false;
  /** Until when it counts as not responding nevertheless, by the clock of `performance.now()`. */
  private shutOutUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
    private readonly queue: CheckQueue,
  ) {
    super();
    this.roles = config.get('ROLES');
  }

  async report(figures: WorkerFigures): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO processes (id, roles, version, worker) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(), worker = excluded.worker`,
      [this.id, this.roles, VERSION, { location: this.config.get('LOCATION'), ...figures }],
    );
  }

  /**
   * Reports this process, and returns the ids of those among which the work of a role is divided: all that have the role
   * and reported within this time, except those that cannot use the queue while others can. If none can, all of them
   * keep their shares, so that they continue at once when the queue is back.
   */
  async sharing(role: Role, withinMs: number): Promise<string[]> {
    const { isResponding } = this.queue;
    this.hasResponded ||= isResponding;
    const responds = isResponding && performance.now() >= this.shutOutUntil;
    await this.dataSource.query(
      `INSERT INTO processes AS p (id, roles, version, queues, queue_responds, queue_changed_at)
       VALUES ($1, $2, $3, $5, $4, CASE WHEN $4 THEN now() ELSE '-infinity' END)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(), queues = excluded.queues, queue_responds = excluded.queue_responds,
         queue_changed_at = CASE WHEN p.queue_responds = excluded.queue_responds THEN p.queue_changed_at
           WHEN p.queue_responds IS NULL THEN excluded.queue_changed_at ELSE now() END`,
      [this.id, this.roles, VERSION, responds, this.queues],
    );
    const rows: { id: string }[] = await this.dataSource.query(
      `WITH living AS (
         SELECT id, queue_responds AS responds, queue_changed_at AS since FROM processes
         WHERE $1 = ANY(roles) AND seen_at > now() - $2 * interval '1 ms')
       SELECT id FROM living WHERE responds IS NOT FALSE OR since > now() - $3 * interval '1 ms'
         OR NOT EXISTS (SELECT FROM living WHERE responds AND since <= now() - $4 * interval '1 ms')`,
      [role, withinMs, WITHOUT_QUEUE_MS, WITH_QUEUE_MS],
    );
    const ids = rows.map(({ id }) => id);
    if (this.hasResponded && !isResponding && !ids.includes(this.id)) {
      this.shutOutUntil = performance.now() + REJOINS_AFTER_MS;
    }
    return ids;
  }

  /** Notes since when this process has had reports of jobs to record, or that it has none. */
  async noteReports(areWaiting: boolean): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO processes AS p (id, roles, version, reports_since) VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(),
         reports_since = CASE WHEN $4 THEN coalesce(p.reports_since, now()) END`,
      [this.id, this.roles, VERSION, areWaiting],
    );
  }

  /** Returns whether another process, seen within this time, has had reports of jobs to record for less than that one. */
  async haveOthersReports(withinMs: number, forLessThanMs: number): Promise<boolean> {
    const [row] = await this.dataSource.query<{ found: boolean }[]>(
      `SELECT EXISTS (SELECT FROM processes WHERE id <> $1 AND seen_at > now() - $2 * interval '1 ms'
         AND reports_since > now() - $3 * interval '1 ms') AS found`,
      [this.id, withinMs, forLessThanMs],
    );
    return row!.found;
  }

  private get queues(): string | null {
    const url = this.config.get('REDIS_URL');
    return url === null ? null : queuesPlace(url, this.config.get('REDIS_PREFIX'));
  }

  /** Gives up a role, so that the others share its work at once, while this process finishes what else it does. */
  async resign(role: Role): Promise<void> {
    this.roles = this.roles.filter((other) => other !== role);
    await this.dataSource
      .query('UPDATE processes SET roles = $2 WHERE id = $1', [this.id, this.roles])
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
      });
  }

  /** Removes this process, so that the others share its work at once, and those that are gone for long. */
  async leave(): Promise<void> {
    await this.dataSource
      .query(`DELETE FROM processes WHERE id = $1 OR seen_at < now() - interval '${FORGOTTEN_AFTER}'`, [this.id])
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
      });
  }
}
