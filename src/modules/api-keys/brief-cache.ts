/**
 * Caches a bounded number of values for a short, fixed time, and evicts the oldest first. Times are epoch milliseconds;
 * an entry from the future (the clock was set back) counts as expired.
 */
export class BriefCache<V> {
  /** In the order of `set`, oldest first. */
  private readonly entries = new Map<string, { value: V; since: number }>();

  constructor(
    private readonly ttlMs: number,
    private readonly maxEntries: number,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** Returns a value that is younger than `maxAgeMs`, and never one that is older than the cache allows. */
  get(key: string, now: number, maxAgeMs = this.ttlMs): V | undefined {
    const entry = this.entries.get(key);
    return entry && this.isFresh(entry.since, now, maxAgeMs) ? entry.value : undefined;
  }

  set(key: string, value: V, now: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, since: now });
    for (const [oldest, { since }] of this.entries) {
      if (this.entries.size <= this.maxEntries && this.isFresh(since, now)) break;
      this.entries.delete(oldest);
    }
  }

  /** Removes this value, but not another one that has replaced it. */
  drop(key: string, value: V): void {
    if (this.entries.get(key)?.value === value) this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  private isFresh(since: number, now: number, maxAgeMs = this.ttlMs): boolean {
    return now >= since && now - since < Math.min(maxAgeMs, this.ttlMs);
  }
}
