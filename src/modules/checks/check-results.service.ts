import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { entityColumns } from '../../database/entity-columns.js';
import { Transactions } from '../../database/tx.js';
import { HOUR_MS } from '../../domain/durations.js';
import { type CursorValue } from '../../http/lists/cursor.js';
import { KeysetLists } from '../../http/lists/keyset-lists.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { expectNoFields } from '../../http/body/validation.js';
import { awaitsReports } from '../../probes/index.js';
import { KnownLocationsService } from '../locations/known-locations.service.js';
import { HeartbeatRunsService } from '../monitors/heartbeat/heartbeat-runs.service.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { type RequestedCheck } from '../monitors/schedule/check-plan.types.js';
import { expectLocation } from '../monitors/location.query.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { LONGEST_DELAY_MS } from './checks.service.js';
import { checkId, type CheckIdParts, parseCheckId } from './check-id.js';
import { Check } from './check.entity.js';
import { toCheckDto } from './check.mapper.js';
import {
  type CheckDto,
  type ListChecksQuery,
  type RequestedCheckDto,
  type RequestCheckQuery,
} from './dto/check.dto.js';

/** Time between two queries for a result that a request waits for. */
const POLL_MS = 50;
/** Time that a request waits beyond the timeout of its check. */
const WAIT_BEYOND_MS = 5_000;
const FIRST_SLOT_MS = 0;

/** The monitor of which checks are shown. */
type Reported = { id: string; type: string };

type Filters = Record<'from' | 'to' | 'status' | 'location' | 'trigger', string | undefined>;

/** Lists check results for callers, and requests checks. */
@Injectable()
export class CheckResultsService implements OnModuleDestroy {
  private stopping = false;

  constructor(
    @InjectRepository(Check) private readonly checks: Repository<Check>,
    private readonly monitors: MonitorsService,
    private readonly requests: CheckRequestsService,
    private readonly runs: HeartbeatRunsService,
    private readonly places: KnownLocationsService,
    private readonly transactions: Transactions,
    private readonly lists: KeysetLists,
  ) {}

  /** Stops waiting: pending requests receive the check without a result. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Lists check results by `checkedAt`, newest first. @throws 404, 400 `invalid_cursor` */
  async list(teamId: TeamId, address: string, query: ListChecksQuery): Promise<Page<CheckDto>> {
    const monitor = await this.monitors.find(teamId, address);
    const { id: monitorId, intervalSeconds } = monitor;
    const { from, to, status, location, trigger } = query;
    const given: Filters = { from, to, status, location, trigger };
    const page = await this.lists.page({ teamId, list: `checks/${monitorId}` }, query, given, {
      read: (filters, after, count) => {
        const window = (): SelectQueryBuilder<Check> =>
          restrict(
            this.checks.createQueryBuilder('c').where('c.monitor_id = :monitorId', { monitorId }),
            filters,
            after,
          );
        const ends = [after?.[0], filters.to].flatMap((time) => (time ? [Date.parse(String(time))] : []));
        const beforeMs = Math.min(Date.now(), ...ends);
        return this.newest(window, { count, intervalMs: intervalSeconds * 1_000, beforeMs });
      },
      keyOf: (row) => [row.checkedAt.toISOString(), row.scheduledAt.toISOString(), row.attempt, row.location],
    });
    return new Page(await this.shown(monitor, page.rows), page.nextCursor);
  }

  /**
   * Returns the newest rows of a window that ends at `beforeMs`. The index is ordered by slot, but pages are ordered by
   * start. A start follows its slot by less than `lagMs`, which covers the longest retry and interval. So the rows with
   * the `count` newest slots, and those up to `lagMs` before them, contain the page.
   */
  private async newest(
    window: () => SelectQueryBuilder<Check>,
    { count, intervalMs, beforeMs }: { count: number; intervalMs: number; beforeMs: number },
  ): Promise<Check[]> {
    const lagMs = Math.max(HOUR_MS, 2 * intervalMs);
    const since = (slotMs: number): Promise<Check[]> =>
      window()
        .select(entityColumns(this.checks.metadata, 'c'))
        .andWhere('c.scheduled_at >= :since', { since: new Date(slotMs) })
        .orderBy('c.checked_at', 'DESC')
        .addOrderBy('c.scheduled_at', 'DESC')
        .addOrderBy('c.attempt', 'DESC')
        .addOrderBy('c.location', 'DESC')
        .limit(count)
        .getRawMany<Check>();
    // The page is almost always within this many intervals, so that the planner can skip all other partitions.
    const guessMs = beforeMs - lagMs - 1.25 * (count + 1) * intervalMs;
    const guessed = await since(guessMs);
    if (guessed.length === count && guessed.at(-1)!.checkedAt.getTime() >= guessMs + lagMs) return guessed;
    const edge = await window()
      .select('c.scheduled_at', 'slot')
      .orderBy('c.scheduled_at', 'DESC')
      .offset(count - 1)
      .limit(1)
      .getRawOne<{ slot: Date }>();
    return since(edge ? edge.slot.getTime() - lagMs : FIRST_SLOT_MS);
  }

  /** Returns a check result. @throws 404, also while the check has not finished */
  async get(teamId: TeamId, address: string, id: string): Promise<CheckDto> {
    const monitor = await this.monitors.find(teamId, address);
    const parts = parseCheckId(id);
    const found = parts && (await this.find(monitor, parts));
    if (!found) throw notFound();
    return found;
  }

  /**
   * Requests a check. With `wait`, returns its result if that is recorded within the monitor's timeout plus 5 s;
   * otherwise returns the check without a result. Without `location`, it runs at the first one that can. @throws 404, 422,
   * 400 for a location that the monitor does not have, 503 for one that is disabled or has no worker
   */
  async request(
    teamId: TeamId,
    address: string,
    { wait, location }: RequestCheckQuery,
    body: unknown,
    keep: KeepAnswer,
  ): Promise<{ result: CheckDto } | { promised: RequestedCheckDto }> {
    const monitor = await this.monitors.find(teamId, address);
    expectNoFields(body);
    if (awaitsReports(monitor.type)) {
      throw new ProblemException(409, 'conflict', 'This monitor waits for reports, so it cannot be checked.');
    }
    const enabled = monitor.locations.filter((one) => !this.places.isDisabled(one));
    const place = location ?? enabled.find((one) => !this.places.isOffline(one)) ?? enabled[0] ?? monitor.locations[0]!;
    expectLocation(monitor, place);
    if (!enabled.includes(place)) {
      throw new ProblemException(503, 'unavailable', `The location ${place} is disabled, so no checks run from it.`);
    }
    if (this.places.isOffline(place)) {
      throw new ProblemException(503, 'unavailable', `No worker at the location ${place} responds.`);
    }
    const check = await this.transactions.run(async (tx) => {
      await this.monitors.lockOne(tx, teamId, monitor.id);
      const [key] = await this.requests.add(tx, monitor.id, [place], 'manual', Date.now());
      const promised: RequestedCheck = { ...key!, trigger: 'manual' };
      await (wait ? keep.promiseIn(tx, toPromise(promised)) : keep.in(tx, toPromise(promised)));
      return promised;
    });
    const result = wait ? await this.waitFor(monitor, check, monitor.timeoutMs + WAIT_BEYOND_MS) : null;
    return result ? { result } : { promised: toPromise(check) };
  }

  private async waitFor(monitor: Reported, key: CheckIdParts, forMs: number): Promise<CheckDto | null> {
    const until = performance.now() + forMs;
    for (;;) {
      const found = await this.find(monitor, key);
      if (found || this.stopping || performance.now() >= until) return found;
      await delay(POLL_MS);
    }
  }

  private async find(monitor: Reported, { scheduledAt, attempt, location }: CheckIdParts): Promise<CheckDto | null> {
    const key = { monitorId: monitor.id, scheduledAt: new Date(scheduledAt), location, attempt };
    const row = await this.checks.findOneBy(key);
    const [shown = null] = await this.shown(monitor, row ? [row] : []);
    return shown;
  }

  private async shown({ id, type }: Reported, rows: readonly Check[]): Promise<CheckDto[]> {
    const runs = awaitsReports(type) ? await this.runs.of(id, rows) : [];
    return rows.map((row, index) => toCheckDto(row, runs[index] ?? null));
  }
}

function restrict(
  rows: SelectQueryBuilder<Check>,
  { from, to, status, location, trigger }: Filters,
  after: readonly CursorValue[] | null,
): SelectQueryBuilder<Check> {
  // A check that starts in a period has its slot in it or shortly before, which limits the partitions to read. If the
  // clock was behind, the start may also be shortly before the slot.
  const slotFrom = (time: string): Date => new Date(Date.parse(time) - LONGEST_DELAY_MS);
  const slotTo = (time: string): Date => new Date(Date.parse(time) + HOUR_MS);
  if (from !== undefined)
    rows.andWhere('c.checked_at >= :from AND c.scheduled_at >= :slotFrom', { from, slotFrom: slotFrom(from) });
  if (to !== undefined) rows.andWhere('c.checked_at < :to AND c.scheduled_at < :slotTo', { to, slotTo: slotTo(to) });
  if (status !== undefined) rows.andWhere('c.status = :status', { status });
  if (location !== undefined) rows.andWhere('c.location = :location', { location });
  if (trigger !== undefined) rows.andWhere('c.trigger = :trigger', { trigger });
  if (after) {
    const [checkedAt, scheduledAt, attempt, place] = after;
    rows.andWhere(
      `(c.checked_at, c.scheduled_at, c.attempt, c.location) <
       (:checkedAt::timestamptz, :scheduledAt::timestamptz, :attempt::int, :place::text) AND c.scheduled_at < :slotBefore`,
      { checkedAt, scheduledAt, attempt, place, slotBefore: slotTo(String(checkedAt)) },
    );
  }
  return rows;
}

function toPromise(check: RequestedCheck): RequestedCheckDto {
  return {
    id: checkId(check),
    monitorId: check.monitorId,
    scheduledAt: new Date(check.scheduledAt).toISOString(),
    location: check.location,
    trigger: check.trigger,
    attempt: 0,
    monitorRevision: null,
    checkedAt: null,
    status: null,
    statusCode: null,
    responseTimeMs: null,
    timings: null,
    remoteAddress: null,
    error: null,
    failedAssertions: null,
    run: null,
  };
}
