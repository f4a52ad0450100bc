import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { type Shard, shareOf } from '../../domain/shard.js';
import { ProcessesService } from './processes.service.js';

/** Leases are renewed or requested once a second, so another process takes over within 6 s. */
export const LEASE_TTL_MS = 4_500;

/** What a lease permits: to dispatch the checks of a shard, to record its results, or to sweep. */
export type LeaseKind = 'dispatcher' | 'recorder' | 'sweeper';

/** A lease that this process holds. */
export interface LeaseGrant {
  shard: Shard;
  /** Increases with each change of holder. */
  epoch: number;
  /** How far earlier holders served the schedule; `null` if nobody has. */
  servedUntil: number | null;
}

/** The outcome of a round of renewals. */
export interface Renewal {
  grants: LeaseGrant[];
  /** Held leases beyond the share of this process, to be released once their work has stopped. */
  surplus: Shard[];
  /** Whether this process has no share because it cannot use the queue, while others can. */
  isShutOut: boolean;
}

/** A row for each lease that was granted; a single one without a name if none was. */
interface GrantRecord {
  now: Date;
  name: string | null;
  epoch: number;
  served_until: Date | null;
}

const ALL: readonly Shard[] = ['all'];
/** Answers of the database that are further apart than this show that it stood still, or this process did. */
const STALLED_AFTER_MS = 2_000;

/**
 * The right to work on all monitors, or on those of a shard, held by one process at a time: a row with an expiry in
 * database time and an epoch that increases with each change of holder. Not an advisory lock, because a suspended
 * holder would keep one.
 */
@Injectable()
export class LeaseService {
  private readonly logger = new Logger(LeaseService.name);
  /**
   * From when on an expired lease is free, by the clock of `performance.now()`; `Infinity` while the database does not
   * respond. Its holder could not renew it meanwhile, continues to work, and needs time to renew it afterwards.
   */
  private takesFrom = Number.NEGATIVE_INFINITY;
  /** The time of the last answer, in database time. */
  private answeredAt: Date | null = null;
  /** Whether it was late. A database that is always late must not keep expired leases from being taken. */
  private wasLate = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
    private readonly processes: ProcessesService,
  ) {}

  /**
   * Renews the held leases of a kind, and takes free ones up to an even share of this process. Throws if the database is
   * unavailable.
   *
   * @param held by shard, how far the schedule was served, in epoch milliseconds; 0 if it was not
   */
  async renew(kind: LeaseKind, held: ReadonlyMap<Shard, number>): Promise<Renewal> {
    try {
      const renewal = await this.tryRenew(kind, held);
      if (this.takesFrom === Number.POSITIVE_INFINITY) this.takesFrom = performance.now() + LEASE_TTL_MS;
      return renewal;
    } catch (error) {
      this.takesFrom = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  /** Records that the schedule was served until `untilMs`, which an earlier holder could not store. */
  async noteServed(untilMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE leases SET served_until = greatest(served_until, $2)
       WHERE name = $1 AND $2 <= now() + interval '2 hours'`,
      [nameOf('dispatcher', 'all'), new Date(untilMs)],
    );
  }

  /**
   * Returns until when the schedule of each shard was served without interruption, as far as it is known: interruptions
   * before that are recorded as absences.
   */
  async servedUntil(): Promise<Map<Shard, number>> {
    const shards = this.config.isShared ? this.shards : ALL;
    const rows: { name: string; served_until: Date }[] = await this.dataSource.query(
      `SELECT name, served_until FROM leases WHERE name = ANY($1) AND served_until <= now() + interval '2 hours'`,
      [shards.map((shard) => nameOf('dispatcher', shard))],
    );
    const until = new Map(rows.map((row) => [row.name, row.served_until.getTime()]));
    return new Map(shards.map((shard) => [shard, until.get(nameOf('dispatcher', shard)) ?? 0]));
  }

  /**
   * Releases leases, so that other processes take them at once.
   *
   * @param isExact whether renewals have stored later times than `servedUntil`, until which no check was sent
   */
  async release(kind: LeaseKind, shards: readonly Shard[], servedUntil: number, isExact = false): Promise<void> {
    try {
      await this.dataSource.query(
        `UPDATE leases SET expires_at = now() - interval '1 ms',
           served_until = CASE WHEN $4 THEN $3 ELSE greatest(served_until, $3) END
         WHERE name = ANY($1) AND holder = $2`,
        [shards.map((shard) => nameOf(kind, shard)), this.processes.id, new Date(servedUntil), isExact],
      );
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      this.logger.warn('could not release leases: they expire on their own');
    }
  }

  /** Gives up the share of this process in the work of a role, so that others take its leases once they are released. */
  async resign(role: 'dispatcher' | 'recorder'): Promise<void> {
    if (this.config.isShared) await this.processes.resign(role);
  }

  /**
   * Returns those of these shards whose lease another process has, and keeps the others from being taken until the
   * transaction ends.
   */
  async lostIn(tx: Tx, kind: LeaseKind, shards: readonly Shard[]): Promise<Shard[]> {
    const rows: { name: string }[] = await managerOf(tx).query(
      'SELECT name FROM leases WHERE name = ANY($1) AND holder = $2 ORDER BY name FOR SHARE',
      [shards.map((shard) => nameOf(kind, shard)), this.processes.id],
    );
    const held = new Set(rows.map(({ name }) => name));
    return shards.filter((shard) => !held.has(nameOf(kind, shard)));
  }

  private async tryRenew(kind: LeaseKind, held: ReadonlyMap<Shard, number>): Promise<Renewal> {
    const own = [...held.keys()];
    // What was not held before was not served either.
    const markOf = (shard: Shard): Date => new Date(held.get(shard) ?? 0);
    if (!this.config.isShared || kind === 'sweeper') {
      return { grants: await this.acquire(kind, ALL, markOf), surplus: [], isShutOut: false };
    }
    const members = await this.processes.sharing(kind, LEASE_TTL_MS);
    const share = shareOf(this.processes.id, members, this.config.get('SHARDS'));
    const wanted = own.slice(0, share);
    if (wanted.length < share) wanted.push(...(await this.free(kind, own)).slice(0, share - wanted.length));
    const grants = await this.acquire(kind, wanted, markOf);
    return { grants, surplus: own.slice(share), isShutOut: !members.includes(this.processes.id) };
  }

  /**
   * Takes these leases as far as they are free or already held. The embedded database has a single user, so there an
   * earlier holder is dead. A mark far in the future was left by a clock that was ahead, and is discarded. While some
   * process works on all monitors, none takes a shard, and the reverse.
   *
   * A database that stood still executes what waited for it in any order. So the statement itself finds out whether it
   * is late, by the time since the last answer: then the holder may be about to renew a lease that has just expired.
   */
  private async acquire(
    kind: LeaseKind,
    shards: readonly Shard[],
    markOf: (shard: Shard) => Date,
  ): Promise<LeaseGrant[]> {
    const byName = new Map(shards.map((shard) => [nameOf(kind, shard), shard]));
    const excluding = (byName.has(kind) ? this.shards : ALL).map((shard) => nameOf(kind, shard));
    const rows: GrantRecord[] = await this.dataSource.query(
      `WITH before AS (
         SELECT wanted.name, max(l.served_until) AS served_until FROM unnest($1::text[]) AS wanted (name)
         JOIN leases l ON l.name = wanted.name OR l.name = ANY($6)
         WHERE l.served_until <= now() + interval '2 hours' GROUP BY wanted.name),
       granted AS (
       INSERT INTO leases AS l (name, holder, epoch, expires_at, served_until)
       SELECT name, $2::uuid, 1, now() + $3 * interval '1 ms', mark
       FROM unnest($1::text[], $4::timestamptz[]) AS wanted (name, mark)
       WHERE $5 OR NOT EXISTS (SELECT FROM leases WHERE name = ANY($6) AND holder <> $2 AND expires_at >= now())
       ORDER BY name
       ON CONFLICT (name) DO UPDATE SET
         holder = $2,
         epoch = l.epoch + CASE WHEN l.holder = $2 THEN 0 ELSE 1 END,
         expires_at = now() + $3 * interval '1 ms',
         served_until = CASE WHEN l.served_until > now() + interval '2 hours' THEN excluded.served_until
           ELSE greatest(l.served_until, excluded.served_until) END
       WHERE l.holder = $2 OR $5
         OR (l.expires_at < now() AND $7 AND now() - coalesce($8, now()) <= $9 * interval '1 ms')
       RETURNING name, epoch, (SELECT before.served_until FROM before WHERE before.name = l.name) AS served_until)
       SELECT now() AS now, granted.* FROM (VALUES (1)) AS one LEFT JOIN granted ON true ORDER BY granted.name`,
      [
        [...byName.keys()],
        this.processes.id,
        LEASE_TTL_MS,
        shards.map(markOf),
        this.config.embedded,
        excluding,
        performance.now() >= this.takesFrom,
        this.wasLate ? null : this.answeredAt,
        STALLED_AFTER_MS,
      ],
    );
    this.noteAnswer(rows[0]!.now);
    return rows.flatMap(({ name, epoch, served_until: mark }) =>
      name === null ? [] : [{ shard: byName.get(name)!, epoch, servedUntil: mark?.getTime() ?? null }],
    );
  }

  private noteAnswer(at: Date): void {
    const isLate = this.answeredAt !== null && at.getTime() - this.answeredAt.getTime() > STALLED_AFTER_MS;
    if (isLate && !this.wasLate) this.takesFrom = Math.max(this.takesFrom, performance.now() + STALLED_AFTER_MS);
    this.wasLate = isLate;
    this.answeredAt = at;
  }

  /** Returns the shards that no other process holds, in random order, so that processes seldom try to take the same. */
  private async free(kind: LeaseKind, held: readonly Shard[]): Promise<Shard[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      'SELECT name FROM leases WHERE expires_at >= now() AND holder <> $1',
      [this.processes.id],
    );
    const taken = new Set(rows.map(({ name }) => name));
    const free = this.shards.filter((shard) => !held.includes(shard) && !taken.has(nameOf(kind, shard)));
    return shuffled(free);
  }

  private get shards(): readonly Shard[] {
    return Array.from({ length: this.config.get('SHARDS') }, (_, shard) => shard);
  }
}

function nameOf(kind: LeaseKind, shard: Shard): string {
  return shard === 'all' ? kind : `${kind}-${shard}`;
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
