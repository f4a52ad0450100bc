import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { EMPTY_HISTOGRAM, type LatencyHistogram, mergeHistograms, quantile } from '../../domain/latency-histogram.js';
import { computeUptime, type DayUptime } from '../../domain/uptime.js';
import { type KindTimes, seconds } from '../../domain/uptime-figures.js';
import { DAY_MS, dateOf, dayStart, parseDate } from '../../domain/utc-day.js';
import { type TeamId } from '../../http/principal.js';
import { notFound } from '../../http/problem.js';
import { invalidQuery } from '../../http/validation.js';
import { HistoryService } from '../monitors/history.service.js';
import { LATE_LIMIT_MS } from '../monitors/monitor-states.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DailyRollup } from './daily-rollup.entity.js';
import {
  type SecondsByKindDto,
  UPTIME_METHOD,
  type UptimeDayDto,
  type UptimeDto,
  type UptimeQuery,
} from './dto/uptime.dto.js';

const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;

/** A window of whole UTC days `[fromMs, toMs)`, in epoch milliseconds. */
export interface UptimeWindow {
  fromMs: number;
  toMs: number;
}

interface DayCounts {
  checksTotal: number;
  checksFailed: number;
  responseCount: number;
  responseSumMs: number;
  histogram: LatencyHistogram;
}

const NO_COUNTS: DayCounts = {
  checksTotal: 0,
  checksFailed: 0,
  responseCount: 0,
  responseSumMs: 0,
  histogram: EMPTY_HISTOGRAM,
};

/** Uptime by day. Every surface takes its figures from here. */
@Injectable()
export class UptimeService {
  constructor(
    @InjectRepository(DailyRollup) private readonly rollups: Repository<DailyRollup>,
    private readonly history: HistoryService,
    private readonly monitors: MonitorsService,
  ) {}

  /** @throws 404, 400 for a window that makes no sense */
  async ofMonitor(teamId: TeamId, address: string, query: UptimeQuery): Promise<UptimeDto> {
    const nowMs = Date.now();
    const window = windowOf(query, nowMs);
    const { id } = await this.monitors.find(teamId, address);
    const uptime = (await this.of([id], window, nowMs)).get(id);
    if (!uptime) throw notFound();
    return uptime;
  }

  /** The uptimes of these monitors, whose tenancy the caller has established; those that do not exist are left out. */
  async of(monitorIds: readonly string[], window: UptimeWindow, nowMs: number): Promise<Map<string, UptimeDto>> {
    const [histories, counts] = await Promise.all([
      this.history.read(monitorIds, window.fromMs),
      this.counts(monitorIds, window),
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
          days: days.map((day) => toDay(day, counts.get(`${id}/${day.date}`) ?? NO_COUNTS, nowMs)),
        };
        return [id, uptime];
      }),
    );
  }

  private async counts(monitorIds: readonly string[], { fromMs, toMs }: UptimeWindow): Promise<Map<string, DayCounts>> {
    const rows = await this.rollups
      .createQueryBuilder('r')
      .where('r.monitor_id = ANY(:monitorIds::uuid[])', { monitorIds })
      .andWhere('r.day >= :from AND r.day < :to', { from: dateOf(fromMs), to: dateOf(toMs) })
      .getMany();
    const counts = new Map<string, DayCounts>();
    for (const row of rows) {
      const key = `${row.monitorId}/${row.day}`;
      const sum = counts.get(key) ?? NO_COUNTS;
      counts.set(key, {
        checksTotal: sum.checksTotal + row.checksTotal,
        checksFailed: sum.checksFailed + row.checksFailed,
        responseCount: sum.responseCount + row.responseCount,
        responseSumMs: sum.responseSumMs + row.responseSumMs,
        histogram: mergeHistograms(sum.histogram, row.histogram),
      });
    }
    return counts;
  }
}

/** The window that a query asks for: 90 days up to today unless it says otherwise. */
export function windowOf({ days, from, to }: UptimeQuery, nowMs: number): UptimeWindow {
  const tomorrow = dayStart(nowMs) + DAY_MS;
  if (from === undefined && to === undefined) {
    return { fromMs: tomorrow - (days ?? DEFAULT_DAYS) * DAY_MS, toMs: tomorrow };
  }
  const refuse = (parameter: string, code: FieldErrorCode, detail: string): Error =>
    invalidQuery([{ parameter, code, detail }]);
  if (days !== undefined) throw refuse('days', 'invalid_value', 'Give days, or from and to, not both.');
  const last = to === undefined ? tomorrow - DAY_MS : parseDate(to);
  if (last === null) throw refuse('to', 'invalid_value', 'There is no such day.');
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : parseDate(from);
  if (first === null) throw refuse('from', 'invalid_value', 'There is no such day.');
  if (first > last) throw refuse('from', 'out_of_range', 'The first day must not lie after the last.');
  if (last - first >= MAX_DAYS * DAY_MS) throw refuse('from', 'out_of_range', `At most ${MAX_DAYS} days at once.`);
  return { fromMs: first, toMs: last + DAY_MS };
}

function toDay(day: DayUptime, counts: DayCounts, nowMs: number): UptimeDayDto {
  const p95 = quantile(counts.histogram, 0.95);
  return {
    date: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent,
    ...secondsByKind(day),
    checksTotal: counts.checksTotal,
    checksFailed: counts.checksFailed,
    incidentCount: day.incidentCount,
    avgResponseTimeMs: counts.responseCount === 0 ? null : round(counts.responseSumMs / counts.responseCount),
    p95ResponseTimeMs: p95 === null ? null : round(p95),
    final: nowMs >= parseDate(day.date)! + DAY_MS + LATE_LIMIT_MS,
  };
}

function secondsByKind(times: KindTimes): SecondsByKindDto {
  return {
    upSeconds: seconds(times.upMs),
    degradedSeconds: seconds(times.degradedMs),
    downSeconds: seconds(times.downMs),
    maintenanceSeconds: seconds(times.maintenanceMs),
    pausedSeconds: seconds(times.pausedMs),
    excludedSeconds: seconds(times.excludedMs),
    unknownSeconds: seconds(times.unknownMs),
  };
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
