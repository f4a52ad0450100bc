import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface ThrottleLimits {
  /** Failures of one address in a window. */
  failures: number;
  windowMs: number;
  /** Addresses remembered; those seen longest ago are forgotten first. */
  addresses: number;
}

/** Counts failures by address in memory. Times are milliseconds of any one clock. */
export class FailureThrottle {
  private readonly windows: LRUCache<string, { endsAt: number; failures: number }>;

  constructor(private readonly limits: ThrottleLimits) {
    this.windows = new LRUCache({ max: limits.addresses });
  }

  /**
   * Counts one attempt as failed beforehand, so that a volley of them is counted too; `forgive` takes it back.
   * Returns 0 where it may be made, else after how many milliseconds to try again.
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

  /** The attempt that was taken did not fail. */
  forgive(address: string): void {
    const window = this.windows.get(networkOf(address));
    if (window && window.failures > 0) window.failures -= 1;
  }
}

/** One subscriber has a whole IPv6 /64 to send from. What is no address, as a careless proxy may pass on, counts as one. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString();
}
