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

/** Response times of a monitor over a period, in contiguous steps, oldest first. */
export interface ResponseTimes {
  fromMs: number;
  toMs: number;
  /** A multiple of the monitor's interval, so that a step without a check is a gap in the checks. */
  stepMs: number;
  /** Of equal length, except that the last one ends with the period. */
  steps: ResponseTimesStep[];
}

/** The response times of a monitor at one of its locations. */
export interface LocationTimes {
  key: string;
  name: string;
  /** The 50th percentile in each step of the monitor; null without a passing check. */
  p50Ms: (number | null)[];
}

/** What a chart of a monitor shows. */
export interface ChartTimes extends ResponseTimes {
  /** Its locations in their order, if there are several and the request names none of them; otherwise none. */
  locations: LocationTimes[];
}

/** Which response times a chart shows. */
export interface ChartQuery {
  range: ResponseRange;
  /** Only those of checks from this location. */
  location?: string;
}
