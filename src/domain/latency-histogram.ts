/**
 * Response times in buckets that grow by a tenth, kept sparse as `[bucket, count, bucket, count, …]` with rising
 * buckets: small in a row, exact to add and to merge. Bucket 0 holds up to 1 ms, bucket b holds `(1.1^(b-1), 1.1^b]`
 * ms, the last one everything from about 60 s on.
 */
export type LatencyHistogram = readonly number[];

const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);

/** The bucket that 60 s, the longest timeout, falls into. */
const LAST_BUCKET = Math.ceil(Math.log(60_000) / LOG_GROWTH);

/**
 * The most that a quantile is off, relative to the true one, between 1 ms and 60 s: 1/21, under 5 %. Shorter times are
 * told as 1 ms, longer ones as about 60 s.
 */
export const MAX_RELATIVE_ERROR = (GROWTH - 1) / (GROWTH + 1);

export const EMPTY_HISTOGRAM: LatencyHistogram = [];

/** The histogram with one more response time, in milliseconds. */
export function addLatency(histogram: LatencyHistogram, latencyMs: number): LatencyHistogram {
  return mergeHistograms(histogram, [bucketOf(latencyMs), 1]);
}

/** The histogram of both sets of response times; neither input changes. */
export function mergeHistograms(a: LatencyHistogram, b: LatencyHistogram): LatencyHistogram {
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const bucket = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
    let count = 0;
    if (a[i] === bucket) {
      count += a[i + 1]!;
      i += 2;
    }
    if (b[j] === bucket) {
      count += b[j + 1]!;
      j += 2;
    }
    merged.push(bucket, count);
  }
  return merged;
}

/** How many response times are in it. */
export function countOf(histogram: LatencyHistogram): number {
  let total = 0;
  for (let i = 1; i < histogram.length; i += 2) total += histogram[i]!;
  return total;
}

/**
 * The response time in milliseconds that a share `p` (0…1) of all does not exceed, by nearest rank, within
 * {@link MAX_RELATIVE_ERROR}; `null` where there are none. Not rounded.
 */
export function quantile(histogram: LatencyHistogram, p: number): number | null {
  // The product may lie a hair above a whole rank (0.07 × 100), which would name the next one.
  const rank = Math.max(1, Math.ceil(p * countOf(histogram) - 1e-9));
  let seen = 0;
  for (let i = 0; i < histogram.length; i += 2) {
    seen += histogram[i + 1]!;
    if (seen >= rank) return representative(histogram[i]!);
  }
  return null;
}

function bucketOf(latencyMs: number): number {
  if (!(latencyMs > 1)) return 0;
  return Math.min(LAST_BUCKET, Math.ceil(Math.log(latencyMs) / LOG_GROWTH));
}

/** The harmonic mean of a bucket's bounds: equally far, in relative terms, from both. */
function representative(bucket: number): number {
  return bucket === 0 ? 1 : (2 * GROWTH ** bucket) / (GROWTH + 1);
}
