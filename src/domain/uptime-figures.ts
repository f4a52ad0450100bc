/**
 * What a moment can count as, from the best to the worst that a day can be named after. `unknown` comes first: a day is
 * named after what is known of it, and after nothing only where nothing is.
 */
export const TIME_KINDS = ['unknown', 'up', 'excluded', 'paused', 'maintenance', 'degraded', 'down'] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** Milliseconds of each kind. They add up to the elapsed time, always. */
export type KindTimes = Record<`${TimeKind}Ms`, number>;

/** Figures of a day or of a whole window. Milliseconds are whole; percentages are cut, not rounded, to 3 decimals. */
export interface UptimeFigures extends KindTimes {
  /** The part of the time that is past. */
  elapsedMs: number;
  /** `(up + degraded) / (up + degraded + down)`: 100 only where nothing was down, `null` where nothing was monitored. */
  uptimePercent: number | null;
  /** Monitored time as a share of the elapsed; `null` where nothing has elapsed. */
  coveragePercent: number | null;
  /** Incidents with time that counts as down. */
  incidentCount: number;
}

/** The API's seconds, with up to 3 decimals. */
export function seconds(ms: number): number {
  return ms / 1000;
}

/** The monitored time, which an uptime is measured over. */
export function observedSeconds({ upMs, degradedMs, downMs }: KindTimes): number {
  return seconds(upMs + degradedMs + downMs);
}

/** Up to here a hundred thousand times a number is still told apart from its neighbours: in milliseconds 2.8 years. */
const MAX_PLAIN = Math.floor(Number.MAX_SAFE_INTEGER / 100_000);

/** `part` as a percentage of `whole`, cut to 3 decimals by whole-number arithmetic; `null` where `whole` is 0. */
export function cutPercent(part: number, whole: number): number | null {
  if (whole === 0) return null;
  // Reports add up the years of many monitors; a page of days has thousands of these, for which big integers are slow.
  if (part > MAX_PLAIN) return Number((BigInt(part) * 100_000n) / BigInt(whole)) / 1000;
  const scaled = part * 100_000;
  return (scaled - (scaled % whole)) / whole / 1000;
}

/** The figures of a part of a window, from the stretches that the window consists of: incidents are not told apart. */
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

/** The running sums of one day or window. */
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

  /** Adds time of one kind; `incident` tells the incidents apart that `down` time belongs to, all of one after all of another. */
  add(kind: TimeKind, ms: number, incident: number): void {
    this.ms[kind] += ms;
    if (kind !== 'down' || incident === this.lastIncident) return;
    this.incidentCount += 1;
    this.lastIncident = incident;
  }

  /** The worst kind with time in it, by {@link TIME_KINDS}; `unknown` where there is no time. */
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
