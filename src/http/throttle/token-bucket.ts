/** How many requests a key may make: up to `burst` at once from a full bucket, which refills evenly. */
export interface Bucket {
  perMinute: number;
  burst: number;
  /**
   * Microseconds from one token to the next. An integer, because the database counts time in microseconds, so rounding
   * does not accumulate. Rounded up: if a minute does not divide evenly, the rate is slightly below `perMinute`.
   */
  stepMicros: number;
}

/** The result of taking tokens for several requests at once. */
export interface Taken {
  granted: number;
  /** Microseconds until the bucket is full again if nothing more is taken; an integer. */
  fullInMicros: number;
}

/**
 * The result for one request. `debt` is the number of tokens, up to and including its own, that are not refilled yet;
 * it may be fractional.
 */
export type Admission = { admitted: true; debt: number } | { admitted: false; waitMs: number };

const LEAST_BURST = 100;
const BURST_SECONDS = 10;
const MINUTE_SECONDS = 60;

/** Returns the bucket for a limit per minute of at least 1. Its size is what refills in 10 s, but at least 100. */
export function bucketOf(perMinute: number): Bucket {
  const refilled = Math.ceil((perMinute * BURST_SECONDS) / MINUTE_SECONDS);
  return {
    perMinute,
    burst: Math.min(perMinute, Math.max(LEAST_BURST, refilled)),
    stepMicros: Math.ceil((MINUTE_SECONDS * 1e6) / perMinute),
  };
}

/** Returns the number of tokens in a bucket. */
export function roomIn({ burst, stepMicros }: Bucket, fullInMicros: number): number {
  return Math.max(0, Math.floor((burst * stepMicros - fullInMicros) / stepMicros));
}

/** Returns the result of each request that took tokens together, in order. The first ones get the tokens. */
export function admissionsOf(bucket: Bucket, requests: number, { granted, fullInMicros }: Taken): Admission[] {
  const { burst, stepMicros } = bucket;
  const debt = fullInMicros / stepMicros;
  const waitMs = Math.max(0, fullInMicros - (burst - 1) * stepMicros) / 1e3;
  return Array.from({ length: requests }, (_, at) =>
    at < granted ? { admitted: true, debt: Math.max(0, debt - (granted - 1 - at)) } : { admitted: false, waitMs },
  );
}

/** Returns the wait in whole seconds, at least 1, after which the next request is admitted. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1e3));
}

/**
 * Returns `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). `r` is what is left of the quota
 * of the minute and `t` the seconds until it is restored in full; for a rejected request, 0 and the seconds until the
 * next one is admitted.
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
