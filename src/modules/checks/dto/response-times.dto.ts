export const RESPONSE_RANGES = ['1h', '24h', '7d', '30d'] as const;
export type ResponseRange = (typeof RESPONSE_RANGES)[number];

export const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'transferMs'] as const;
export type Phase = (typeof PHASES)[number];

/** Passing checks at slots within one step, excluding retries. Times are in milliseconds; null without such a check. */
export interface ResponseTimesStep extends Record<Phase, number | null> {
  /** Start of the step, in epoch milliseconds. */
  fromMs: number;
  count: number;
  /** Percentiles of the total response times. The phases are means. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** The response times of a monitor at one of its locations. */
export interface LocationTimes {
  key: string;
  name: string;
  /** The 50th percentile in each step of the monitor; null without a passing check. */
  p50Ms: (number | null)[];
}

/** Response times of a monitor over a range, in contiguous steps of equal length, oldest first. */
export interface ResponseTimesDto {
  range: ResponseRange;
  fromMs: number;
  toMs: number;
  /** A multiple of the monitor's interval, so that a step without a check is a gap in the checks. */
  stepMs: number;
  steps: ResponseTimesStep[];
  /** Its locations in their order, if there are several and the request names none of them; otherwise none. */
  locations: LocationTimes[];
}
