import { DAY_MS } from '../../domain/durations.js';
import { type LatencyHistogram, quantile } from '../../domain/latency-histogram.js';
import { fidelityOf } from '../../domain/schedule-fidelity.js';
import { type DayUptime } from '../../domain/uptime.js';
import { type KindTimes, seconds } from '../../domain/uptime-figures.js';
import { parseDate } from '../../domain/utc-day.js';
import { LATE_LIMIT_MS } from '../monitors/state/monitor-states.service.js';
import { type DayFidelityDto, type SecondsByKindDto, type UptimeDayDto } from './dto/uptime.dto.js';
import { type DaySlots } from './slots.service.js';

/** The roll-ups of a day, summed over all locations. */
export interface DayCounts {
  checksTotal: number;
  checksFailed: number;
  checksLate: number;
  responseCount: number;
  responseSumMs: number;
  histogram: LatencyHistogram;
}

export function toDay(day: DayUptime, counts: DayCounts, nowMs: number): UptimeDayDto {
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

/** Returns the fields that `fidelity=true` adds to a day. */
export function toFidelity({ due, beside, absences }: DaySlots, counts: DayCounts): DayFidelityDto {
  const { expected, executed, late, missed } = fidelityOf(due, {
    executed: counts.checksTotal,
    late: counts.checksLate,
    beside,
  });
  return {
    checksExpected: expected,
    checksExecuted: executed,
    checksLate: late,
    checksMissed: missed,
    absences: absences.map(({ from, to, reason }) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      reason,
    })),
  };
}

export function secondsByKind(times: KindTimes): SecondsByKindDto {
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
