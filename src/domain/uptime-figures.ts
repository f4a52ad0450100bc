/**
 * The kinds of time, from best to worst; the worst one of a day is its status. `unknown` comes first, so that a day is
 * unknown only if nothing about it is known.
 */
export const TIME_KINDS = ['unknown', 'up', 'excluded', 'paused', 'maintenance', 'degraded', 'down'] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** Milliseconds of each kind, which always add up to the elapsed time. */
export type KindTimes = Record<`${TimeKind}Ms`, number>;

/** Figures of a day or a window. Milliseconds are whole; percentages are truncated, not rounded, to 3 decimals. */
export interface UptimeFigures extends KindTimes {
  /** The part of the time that is past. */
  elapsedMs: number;
  /** `(up + degraded) / (up + degraded + down)`: 100 only without down time, `null` if nothing was monitored. */
  uptimePercent: number | null;
  /** Monitored time as a percentage of the elapsed time; `null` if nothing has elapsed. */
  coveragePercent: number | null;
  /** Incidents with time that counts as down. */
  incidentCount: number;
}

/** Converts milliseconds to seconds with up to 3 decimals, as in the API. */
export function seconds(ms: number): number {
  return ms / 1000;
}

/** Returns the monitored time in seconds, over which the uptime is measured. */
export function observedSeconds({ upMs, degradedMs, downMs }: KindTimes): number {
  return seconds(upMs + degradedMs + downMs);
}

/** The largest number whose product with 100,000 is still a safe integer: in milliseconds, 2.8 years. */
const MAX_PLAIN = Math.floor(Number.MAX_SAFE_INTEGER / 100_000);

/** Returns `part` as a percentage of `whole`, truncated to 3 decimals by integer arithmetic; `null` if `whole` is 0. */
export function cutPercent(part: number, whole: number): number | null {
  if (whole === 0) return null;
  // Reports add up years of many monitors, which needs big integers. A page of days has thousands of percentages, for
  // which they are too slow.
  if (part > MAX_PLAIN) return Number((BigInt(part) * 100_000n) / BigInt(whole)) / 1000;
  const scaled = part * 100_000;
  return (scaled - (scaled % whole)) / whole / 1000;
}

/** Returns the figures of a part of a window, calculated from the window's segments; without a count of incidents. */
export function figuresWithin(
  segments: readonly { from: number; to: number; kind: TimeKind }[],
  span: { from: number; to: number },
): Omit<UptimeFigures, 'incidentCount'> {
  const tally = new UptimeTally();
  for (const { from, to, kind } of segments) {
    tally.add(kind, Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);
  }
  const { incidentCount: _, ...figures } = tally.figures();
  return figures;
}

/** Sums up the times of one day or window. */
export class UptimeTally {
  private readonly ms: Record<TimeKind, number> = {
    up: 0,
    excluded: 0,
    paused: 0,
    maintenance: 0,
    unknown: 0,
    degraded: 0,
    down: 0,
  };
  private incidentCount = 0;
  private lastIncident = -1;

  /**
   * Adds time of one kind. `incident` identifies the incident of `down` time; all time of one incident must be added
   * before that of the next.
   */
  add(kind: TimeKind, ms: number, incident: number): void {
    this.ms[kind] += ms;
    if (kind !== 'down' || incident === this.lastIncident) return;
    this.incidentCount += 1;
    this.lastIncident = incident;
  }

  /** Returns the worst kind that has time, by {@link TIME_KINDS}; `unknown` if there is none. */
  worst(): TimeKind {
    return TIME_KINDS.findLast((kind) => this.ms[kind] > 0) ?? 'unknown';
  }

  figures(): UptimeFigures {
    const { up, degraded, down, maintenance, paused, excluded, unknown } = this.ms;
    const monitoredMs = up + degraded + down;
    const elapsedMs = monitoredMs + maintenance + paused + excluded + unknown;
    return {
      elapsedMs,
      uptimePercent: cutPercent(up + degraded, monitoredMs),
      coveragePercent: cutPercent(monitoredMs, elapsedMs),
      upMs: up,
      degradedMs: degraded,
      downMs: down,
      maintenanceMs: maintenance,
      pausedMs: paused,
      excludedMs: excluded,
      unknownMs: unknown,
      incidentCount: this.incidentCount,
    };
  }
}
