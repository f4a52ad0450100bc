/**
 * Response times in buckets that grow by a tenth, stored sparsely as `[bucket, count, bucket, count, …]` with ascending
 * buckets: small in a database row, and exact when adding and merging. Bucket 0 contains up to 1 ms, bucket b contains
 * `(1.1^(b-1), 1.1^b]` ms, and the last one everything from about 60 s on.
 */
export type LatencyHistogram = readonly number[];

const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);

/** The bucket that contains 60 s, the longest timeout. */
const LAST_BUCKET = Math.ceil(Math.log(60_000) / LOG_GROWTH);

/**
 * Maximum error of a quantile between 1 ms and 60 s, relative to the true value: 1/21, under 5%. Shorter times are
 * reported as 1 ms, longer ones as about 60 s.
 */
export const MAX_RELATIVE_ERROR = (GROWTH - 1) / (GROWTH + 1);

export const EMPTY_HISTOGRAM: LatencyHistogram = [];

/** Returns the histogram with one more response time, in milliseconds. */
export function addLatency(histogram: LatencyHistogram, latencyMs: number): LatencyHistogram {
  return mergeHistograms(histogram, [bucketOf(latencyMs), 1]);
}

/** Returns the histogram of both sets of response times; neither input changes. */
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

/** Returns the number of response times. */
export function countOf(histogram: LatencyHistogram): number {
  let total = 0;
  for (let i = 1; i < histogram.length; i += 2) total += histogram[i]!;
  return total;
}

/**
 * Returns the response time in milliseconds that a share `p` (0…1) of all does not exceed, by nearest rank, within
 * {@link MAX_RELATIVE_ERROR}; `null` if there are none. Not rounded.
 */
export function quantile(histogram: LatencyHistogram, p: number): number | null {
  // Floating-point error can put the product slightly above a whole rank (0.07 × 100), which would select the next one.
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

/** Returns the harmonic mean of a bucket's bounds, whose relative distance to both is equal. */
function representative(bucket: number): number {
  return bucket === 0 ? 1 : (2 * GROWTH ** bucket) / (GROWTH + 1);
}
