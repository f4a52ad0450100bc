import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms } from '../../domain/latency-histogram.js';
import { FLAP_WINDOW_MS } from '../../domain/incident-timeline.js';
import { computeUptime, type Uptime } from '../../domain/uptime.js';
import { seconds } from '../../domain/uptime-figures.js';
import { dateOf, dayStart, parseDate } from '../../domain/utc-day.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { invalidQuery } from '../../http/body/validation.js';
import { HistoryService, type MonitorHistory } from '../monitors/history/history.service.js';
import { expectLocation } from '../monitors/location.query.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DailyRollup } from './daily-rollup.entity.js';
import { UPTIME_METHOD, type UptimeDto, type UptimeQuery, type WindowQuery } from './dto/uptime.dto.js';
import { type DaySlots, SlotsService } from './slots.service.js';
import { type DayCounts, secondsByKind, toDay, toFidelity } from './uptime.mapper.js';

const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;

/** A window of whole UTC days `[fromMs, toMs)`, in epoch milliseconds. */
export interface UptimeWindow {
  fromMs: number;
  toMs: number;
}

export interface UptimeOptions {
  /** Ignores exclusions. */
  raw?: boolean;
  /** Adds to each day how closely the checks followed the schedule. */
  fidelity?: boolean;
  /** Counts what this location found out, instead of what all of them together did. */
  location?: string;
}

const NO_COUNTS: DayCounts = {
  checksTotal: 0,
  checksFailed: 0,
  checksLate: 0,
  responseCount: 0,
  responseSumMs: 0,
  histogram: EMPTY_HISTOGRAM,
};

/** Computes uptime by day. All pages, reports and API responses take their figures from here. */
@Injectable()
export class UptimeService {
  constructor(
    @InjectRepository(DailyRollup) private readonly rollups: Repository<DailyRollup>,
    private readonly history: HistoryService,
    private readonly monitors: MonitorsService,
    private readonly slots: SlotsService,
    private readonly transactions: Transactions,
    private readonly reads: CostlyReads,
  ) {}

  /**
   * Returns the uptime of a monitor. @throws 404, 400 for an invalid window or location, 429 if too many such requests are waiting
   */
  ofMonitor(teamId: TeamId, address: string, query: UptimeQuery): Promise<UptimeDto> {
    return this.reads.run(teamId, () => this.readMonitor(teamId, address, query));
  }

  private async readMonitor(teamId: TeamId, address: string, query: UptimeQuery): Promise<UptimeDto> {
    const nowMs = Date.now();
    const window = windowOf(query, nowMs);
    const monitor = await this.monitors.find(teamId, address);
    if (query.location !== undefined) expectLocation(monitor, query.location);
    const { id } = monitor;
    const uptime = (await this.of([id], window, nowMs, query)).get(id);
    if (!uptime) throw notFound();
    return uptime;
  }

  /**
   * Returns the uptimes of these monitors. The caller has verified that the team owns them. Monitors that do not exist
   * are omitted.
   */
  async of(
    monitorIds: readonly string[],
    window: UptimeWindow,
    nowMs: number,
    { raw = false, fidelity = false, location }: UptimeOptions = {},
  ): Promise<Map<string, UptimeDto>> {
    const reading = this.read(monitorIds, window, { raw, location });
    const [histories, { counts, slots }] = fidelity
      ? [await reading, await this.countsAndSlots(await reading, window, nowMs, location)]
      : await Promise.all([
          reading,
          this.counts(monitorIds, window, location).then((counts) => ({ counts, slots: null })),
        ]);
    return new Map(
      [...histories].map(([id, history]) => {
        const { days, totals } = computeUptime({ ...history, ...window, nowMs });
        const uptime: UptimeDto = {
          monitorId: id,
          method: UPTIME_METHOD,
          from: new Date(window.fromMs).toISOString(),
          to: new Date(window.toMs).toISOString(),
          timezone: 'UTC',
          computedAt: new Date(nowMs).toISOString(),
          uptimePercent: totals.uptimePercent,
          coveragePercent: totals.coveragePercent,
          totals: {
            ...secondsByKind(totals),
            incidentCount: totals.incidentCount,
            longestOutageSeconds: seconds(totals.longestOutageMs),
          },
          days: days.map((day) => {
            const counted = counts.get(`${id}/${day.date}`) ?? NO_COUNTS;
            const due = slots?.get(`${id}/${day.date}`);
            return { ...toDay(day, counted, nowMs), ...(due && toFidelity(due, counted)) };
          }),
        };
        return [id, uptime];
      }),
    );
  }

  /**
   * Returns the times of these monitors by kind, without the figures from roll-ups, which takes a fraction of the time
   * for many monitors. Otherwise like `of`.
   */
  async times(
    monitorIds: readonly string[],
    window: UptimeWindow,
    nowMs: number,
    options: Pick<UptimeOptions, 'raw' | 'location'> = {},
  ): Promise<Map<string, Pick<Uptime, 'days' | 'totals' | 'segments'>>> {
    const histories = await this.read(monitorIds, window, options);
    return new Map([...histories].map(([id, history]) => [id, computeUptime({ ...history, ...window, nowMs })]));
  }

  /**
   * Returns the number of response times of these monitors within the days of a window, and their sum. The caller has
   * verified that the team owns the monitors. Monitors without a response time are omitted.
   */
  async responses(
    monitorIds: readonly string[],
    { fromMs, toMs }: UptimeWindow,
  ): Promise<Map<string, { count: number; sumMs: number }>> {
    const rows: { monitor_id: string; count: number; sum: number }[] = await this.rollups.query(
      `SELECT monitor_id, sum(response_count)::int AS count, sum(response_sum_ms) AS sum
       FROM daily_rollups WHERE monitor_id = ANY($1::uuid[]) AND day >= $2 AND day < $3
       GROUP BY monitor_id HAVING sum(response_count) > 0`,
      [monitorIds, dateOf(fromMs), dateOf(toMs)],
    );
    return new Map(rows.map(({ monitor_id: id, count, sum }) => [id, { count, sumMs: sum }]));
  }

  /**
   * Reads the histories from an hour before the window on: it determines whether an outage at the start belongs to an
   * earlier, flapping one. If an outage began before the window, the hour before that outage counts.
   */
  private async read(
    monitorIds: readonly string[],
    { fromMs }: UptimeWindow,
    options: Pick<UptimeOptions, 'raw' | 'location'>,
  ): Promise<Map<string, MonitorHistory>> {
    const histories = await this.history.read(monitorIds, fromMs - FLAP_WINDOW_MS, options);
    const down = [...histories.values()].flatMap((history) => {
      const since = downSince(history, fromMs);
      return since === null ? [] : [{ id: history.monitorId, since }];
    });
    if (down.length === 0) return histories;
    const [ids, since] = [down.map(({ id }) => id), Math.min(...down.map((one) => one.since))];
    return new Map([...histories, ...(await this.history.read(ids, since - FLAP_WINDOW_MS, options))]);
  }

  /** Reads both in one snapshot, so that a check recorded in the meantime is in both or in neither. */
  private countsAndSlots(
    histories: ReadonlyMap<string, MonitorHistory>,
    window: UptimeWindow,
    nowMs: number,
    location?: string,
  ): Promise<{ counts: Map<string, DayCounts>; slots: Map<string, DaySlots> }> {
    return this.transactions.snapshot(async (tx) => ({
      counts: await this.counts([...histories.keys()], window, location, tx),
      slots: await this.slots.of(tx, histories, window, nowMs, location),
    }));
  }

  private async counts(
    monitorIds: readonly string[],
    { fromMs, toMs }: UptimeWindow,
    location?: string,
    tx?: Tx,
  ): Promise<Map<string, DayCounts>> {
    const rows: CountsRecord[] = await (tx ? managerOf(tx) : this.rollups).query(
      `SELECT monitor_id, day::text, checks_total, checks_failed, checks_late, response_count, response_sum_ms,
              array_to_json(histogram) AS histogram
       FROM daily_rollups WHERE monitor_id = ANY($1::uuid[]) AND day >= $2 AND day < $3
         AND ($4::text IS NULL OR location = $4)`,
      [monitorIds, dateOf(fromMs), dateOf(toMs), location ?? null],
    );
    const counts = new Map<string, DayCounts>();
    for (const row of rows) {
      const key = `${row.monitor_id}/${row.day}`;
      const sum = counts.get(key) ?? NO_COUNTS;
      counts.set(key, {
        checksTotal: sum.checksTotal + row.checks_total,
        checksFailed: sum.checksFailed + row.checks_failed,
        checksLate: sum.checksLate + row.checks_late,
        responseCount: sum.responseCount + row.response_count,
        responseSumMs: sum.responseSumMs + row.response_sum_ms,
        histogram: mergeHistograms(sum.histogram, row.histogram),
      });
    }
    return counts;
  }
}

/** Returns since when locations were down at a moment, the earliest if there are several; null if none was. */
function downSince({ locations }: MonitorHistory, atMs: number): number | null {
  const since = locations.flatMap(({ transitions }) => {
    const last = transitions.findLast(({ at }) => at < atMs);
    return last?.to === 'down' ? [last.at] : [];
  });
  return since.length === 0 ? null : Math.min(...since);
}

interface CountsRecord {
  monitor_id: string;
  day: string;
  checks_total: number;
  checks_failed: number;
  checks_late: number;
  response_count: number;
  response_sum_ms: number;
  /** Selected as JSON, which the driver parses many times faster than an array. */
  histogram: LatencyHistogram;
}

/** Returns the window of a query, which defaults to `defaultDays` days up to and including today. @throws 400 */
export function windowOf(
  { days, from, to }: WindowQuery & { days?: number },
  nowMs: number,
  defaultDays = DEFAULT_DAYS,
): UptimeWindow {
  const tomorrow = dayStart(nowMs) + DAY_MS;
  if (from === undefined && to === undefined) {
    return { fromMs: tomorrow - (days ?? defaultDays) * DAY_MS, toMs: tomorrow };
  }
  const refuse = (parameter: string, code: FieldErrorCode, detail: string): Error =>
    invalidQuery([{ parameter, code, detail }]);
  if (days !== undefined) throw refuse('days', 'invalid_value', 'Set either days, or from and to, not both.');
  const last = to === undefined ? tomorrow - DAY_MS : parseDate(to);
  if (last === null) throw refuse('to', 'invalid_value', 'to must be a valid date.');
  const first = from === undefined ? last - (defaultDays - 1) * DAY_MS : parseDate(from);
  if (first === null) throw refuse('from', 'invalid_value', 'from must be a valid date.');
  if (first > last) throw refuse('from', 'out_of_range', 'from must not be after to.');
  if (last - first >= MAX_DAYS * DAY_MS) throw refuse('from', 'out_of_range', `A window has at most ${MAX_DAYS} days.`);
  return { fromMs: first, toMs: last + DAY_MS };
}
