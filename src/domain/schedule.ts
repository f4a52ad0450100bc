/** The shortest pause before a failing target is looked at again, in milliseconds. */
export const MIN_RETRY_INTERVAL_MS = 1_000;

/**
 * Where in its interval a monitor's slots lie: a hash of its id (any case) modulo the interval, so that load is even
 * and needs no stored schedule. Milliseconds, `0 ≤ phase < intervalMs`.
 */
export function phaseMs(monitorId: string, intervalMs: number): number {
  return hash32(monitorId) % intervalMs;
}

/** The first slot strictly after `afterMs`. Slots are `phase + k × interval` for every integer k; epoch milliseconds. */
export function nextSlotAfter(phase: number, intervalMs: number, afterMs: number): number {
  return slotAtOrBefore(phase, intervalMs, afterMs) + intervalMs;
}

/** The last slot that is not after `atMs`; epoch milliseconds. */
export function slotAtOrBefore(phase: number, intervalMs: number, atMs: number): number {
  return phase + Math.floor((atMs - phase) / intervalMs) * intervalMs;
}

/** How a monitor is re-checked while a change is being confirmed; `retryIntervalMs` is `null` where none was given. */
export interface RetryPolicy {
  intervalMs: number;
  retryIntervalMs: number | null;
}

/** The pause between retries in milliseconds: as given, else a third of the interval; never under one second. */
export function retryIntervalMs(policy: RetryPolicy): number {
  return Math.max(MIN_RETRY_INTERVAL_MS, policy.retryIntervalMs ?? Math.floor(policy.intervalMs / 3));
}

/** FNV-1a over the text of a UUID, then MurmurHash3's finaliser: FNV alone leaves the ids of one millisecond in clusters. */
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
