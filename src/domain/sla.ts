import { cutPercent, seconds } from './uptime-figures.js';

/** The times of a period in whole milliseconds. Those of several monitors add up member by member. */
export interface SlaTimes {
  /** The whole period, including its future part. */
  periodMs: number;
  /** The part of the period that is past, of any kind. */
  elapsedMs: number;
  upMs: number;
  degradedMs: number;
  downMs: number;
  incidentCount: number;
}

/** The figures of a period against a target. `null` means that nothing was monitored or no incident occurred. */
export interface SlaFigures {
  /** `(up + degraded) / monitored`, cut to 3 decimals; monitored is `up + degraded + down`. */
  uptimePercent: number | null;
  /** `monitored / elapsed`, cut to 3 decimals. */
  coveragePercent: number | null;
  monitoredSeconds: number;
  downSeconds: number;
  incidentCount: number;
  /** `down / incidents`. */
  mttrSeconds: number | null;
  /** `(up + degraded) / incidents`. */
  mtbfSeconds: number | null;
  /** `(1 − target / 100) × (period − elapsed time that was not monitored)`, cut to milliseconds. */
  errorBudgetSeconds: number;
  errorBudgetConsumedSeconds: number;
  /** Negative if the budget is exceeded. */
  errorBudgetRemainingSeconds: number;
  /**
   * `(down / monitored) / (1 − target / 100)`, rounded up to 4 decimals: above 1 if and only if the target is missed.
   */
  burnRate: number | null;
  /** Whether the exact uptime, not truncated, is at least the target. */
  met: boolean | null;
}

/** A target as an exact number of parts per million. */
export type SlaTarget = number;

const MILLION = 1_000_000;

/**
 * Parses a target in percent such as `99.9`; returns `null` unless it lies between 0 and 100, both excluded, and has at
 * most 4 decimals.
 */
export function parseTarget(text: string): SlaTarget | null {
  const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const target = Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'));
  return target > 0 ? target : null;
}

/** Returns the target in percent. */
export function targetPercent(target: SlaTarget): number {
  return target / 10_000;
}

/** Calculates the figures with integers only, so that they are exact even when a target is just met or just missed. */
export function slaFigures(times: SlaTimes, target: SlaTarget): SlaFigures {
  const { periodMs, elapsedMs, downMs, incidentCount } = times;
  const goodMs = times.upMs + times.degradedMs;
  const monitoredMs = goodMs + downMs;
  const allowed = BigInt(MILLION - target);
  const budgetMs = Number((BigInt(periodMs - (elapsedMs - monitoredMs)) * allowed) / BigInt(MILLION));
  const perIncident = (ms: number): number | null =>
    incidentCount === 0 ? null : seconds(Math.round(ms / incidentCount));
  return {
    uptimePercent: cutPercent(goodMs, monitoredMs),
    coveragePercent: cutPercent(monitoredMs, elapsedMs),
    monitoredSeconds: seconds(monitoredMs),
    downSeconds: seconds(downMs),
    incidentCount,
    mttrSeconds: perIncident(downMs),
    mtbfSeconds: perIncident(goodMs),
    errorBudgetSeconds: seconds(budgetMs),
    errorBudgetConsumedSeconds: seconds(downMs),
    errorBudgetRemainingSeconds: seconds(budgetMs - downMs),
    burnRate: burnRate(downMs, monitoredMs, allowed),
    met: monitoredMs === 0 ? null : BigInt(downMs) * BigInt(MILLION) <= BigInt(monitoredMs) * allowed,
  };
}

/** Returns the total times of several monitors. */
export function sumTimes(all: readonly SlaTimes[]): SlaTimes {
  const sum = { periodMs: 0, elapsedMs: 0, upMs: 0, degradedMs: 0, downMs: 0, incidentCount: 0 };
  for (const one of all) for (const name of Object.keys(sum) as (keyof SlaTimes)[]) sum[name] += one[name];
  return sum;
}

function burnRate(downMs: number, monitoredMs: number, allowed: bigint): number | null {
  if (monitoredMs === 0) return null;
  const part = BigInt(downMs) * BigInt(MILLION) * 10_000n;
  const whole = BigInt(monitoredMs) * allowed;
  return Number((part + whole - 1n) / whole) / 10_000;
}
