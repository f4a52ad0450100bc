export const RESPONSE_RANGES = ['1h', '24h', '7d', '30d'] as const;
export type ResponseRange = (typeof RESPONSE_RANGES)[number];

export const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'transferMs'] as const;
export type Phase = (typeof PHASES)[number];

/** The passing checks at their slots in one step of time. Milliseconds; null where there was no such check. */
export interface ResponseTimesStep extends Record<Phase, number | null> {
  /** When the step begins, in epoch milliseconds. */
  fromMs: number;
  count: number;
  /** Percentiles of the whole response times. The phases are means. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Response times of a monitor over a stretch of time, by steps of equal length without holes, oldest first. */
export interface ResponseTimesDto {
  range: ResponseRange;
  fromMs: number;
  toMs: number;
  /** A whole number of intervals of the monitor, so that a step without a check is a gap in the checks. */
  stepMs: number;
  steps: ResponseTimesStep[];
}
