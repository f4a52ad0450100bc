/** How many requests a key may make: `burst` at once from a full bucket, which is refilled evenly. */
export interface Bucket {
  perMinute: number;
  burst: number;
  /**
   * From one token to the next, in microseconds. Whole: the database counts time in them, so that no rounding adds up.
   * Never too short: where a minute does not divide evenly, it gives a little less than `perMinute`.
   */
  stepMicros: number;
}

/** What a bucket gave to a number of requests at once. */
export interface Taken {
  granted: number;
  /** After how many microseconds the bucket is full again if nothing more is taken; whole. */
  fullInMicros: number;
}

/** What one request is told. `debt`: the tokens taken up to this one's that are not refilled yet; its fraction counts. */
export type Admission = { admitted: true; debt: number } | { admitted: false; waitMs: number };

const LEAST_BURST = 100;
const BURST_SECONDS = 10;
const MINUTE_SECONDS = 60;

/** The bucket for a limit of so many requests a minute, at least 1: it holds what refills in 10 s, but no less than 100. */
export function bucketOf(perMinute: number): Bucket {
  const refilled = Math.ceil((perMinute * BURST_SECONDS) / MINUTE_SECONDS);
  return {
    perMinute,
    burst: Math.min(perMinute, Math.max(LEAST_BURST, refilled)),
    stepMicros: Math.ceil((MINUTE_SECONDS * 1e6) / perMinute),
  };
}

/** The tokens that are in a bucket. */
export function roomIn({ burst, stepMicros }: Bucket, fullInMicros: number): number {
  return Math.max(0, Math.floor((burst * stepMicros - fullInMicros) / stepMicros));
}

/** One for each of the requests that took tokens together, in their order: the first ones got them. */
export function admissionsOf(bucket: Bucket, requests: number, { granted, fullInMicros }: Taken): Admission[] {
  const { burst, stepMicros } = bucket;
  const debt = fullInMicros / stepMicros;
  const waitMs = Math.max(0, fullInMicros - (burst - 1) * stepMicros) / 1e3;
  return Array.from({ length: requests }, (_, at) =>
    at < granted ? { admitted: true, debt: Math.max(0, debt - (granted - 1 - at)) } : { admitted: false, waitMs },
  );
}

/** Whole seconds, so that the next request is let in after them; at least 1. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1e3));
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): `r` is what is left of the minute's quota,
 * `t` the seconds until all of it is there again; of a refused request 0, and the seconds until the next is let in.
 */
export function rateLimitHeaders(bucket: Bucket, admission: Admission): Record<string, string> {
  const { perMinute, burst, stepMicros } = bucket;
  const [left, seconds] = admission.admitted
    ? [Math.floor(perMinute - admission.debt), Math.ceil((admission.debt * stepMicros) / 1e6)]
    : [0, retryAfterSeconds(admission.waitMs)];
  return {
    'RateLimit-Policy': `"burst";q=${burst};w=${BURST_SECONDS}, "minute";q=${perMinute};w=${MINUTE_SECONDS}`,
    RateLimit: `"minute";r=${left};t=${seconds}`,
  };
}
