/** Minimum time before a retry, in milliseconds. */
export const MIN_RETRY_INTERVAL_MS = 1_000;

/**
 * Returns the offset of a monitor's slots within its interval: a hash of its id (in any case) modulo the interval,
 * which distributes the load evenly without a stored schedule. Milliseconds, `0 ≤ phase < intervalMs`.
 */
export function phaseMs(monitorId: string, intervalMs: number): number {
  return hash32(monitorId) % intervalMs;
}

/** Returns the first slot after `afterMs`. Slots are `phase + k × interval` for every integer k; epoch milliseconds. */
export function nextSlotAfter(phase: number, intervalMs: number, afterMs: number): number {
  return slotAtOrBefore(phase, intervalMs, afterMs) + intervalMs;
}

/** Returns the last slot at or before `atMs`; epoch milliseconds. */
export function slotAtOrBefore(phase: number, intervalMs: number, atMs: number): number {
  return phase + Math.floor((atMs - phase) / intervalMs) * intervalMs;
}

/** The retry settings of a monitor; `retryIntervalMs` is `null` if none was configured. */
export interface RetryPolicy {
  intervalMs: number;
  retryIntervalMs: number | null;
}

/** Returns the time between retries in milliseconds: as configured, or a third of the interval; at least one second. */
export function retryIntervalMs(policy: RetryPolicy): number {
  return Math.max(MIN_RETRY_INTERVAL_MS, policy.retryIntervalMs ?? Math.floor(policy.intervalMs / 3));
}

/**
 * Hashes the text of a UUID with FNV-1a, then applies MurmurHash3's finalizer, because FNV alone clusters the ids that
 * were generated in the same millisecond.
 */
function hash32(uuid: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < uuid.length; i += 1) {
    // Setting this bit folds A–F to a–f and leaves digits and hyphens as they are.
    hash = Math.imul(hash ^ (uuid.charCodeAt(i) | 0x20), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
