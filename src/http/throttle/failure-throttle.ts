import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface ThrottleLimits {
  /** Failures allowed per address and window. */
  failures: number;
  windowMs: number;
  /** Maximum number of addresses remembered. The least recently used are forgotten first. */
  addresses: number;
}

/** Counts failures by address, in memory. All times must be milliseconds of the same clock. */
export class FailureThrottle {
  private readonly windows: LRUCache<string, { endsAt: number; failures: number }>;

  constructor(private readonly limits: ThrottleLimits) {
    this.windows = new LRUCache({ max: limits.addresses });
  }

  /**
   * Counts an attempt as failed in advance, so that concurrent attempts are counted too; `forgive` reverts this.
   * Returns 0 if the attempt is allowed, otherwise the number of milliseconds after which to try again.
   */
  take(address: string, nowMs: number): number {
    const network = networkOf(address);
    let window = this.windows.get(network);
    if (!window || window.endsAt <= nowMs) {
      window = { endsAt: nowMs + this.limits.windowMs, failures: 0 };
      this.windows.set(network, window);
    }
    if (window.failures >= this.limits.failures) return window.endsAt - nowMs;
    window.failures += 1;
    return 0;
  }

  /** Reverts `take` for an attempt that did not fail. */
  forgive(address: string): void {
    const window = this.windows.get(networkOf(address));
    if (window && window.failures > 0) window.failures -= 1;
  }
}

/** A subscriber usually has a whole IPv6 /64. Whatever is not an address, as from a careless proxy, counts as one. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString();
}
