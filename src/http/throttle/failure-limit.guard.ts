import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type EdgeRequest } from '../edge-request.js';
import { FailureThrottle } from './failure-throttle.js';
import { ProblemException } from '../problems/problem.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Consults `inner`, and responds with 429 instead of 401 to an address that has used up its failures of the minute.
 * Credentials are checked first: a valid key is never rejected because of failures of others at the same address.
 */
export class FailureLimitGuard implements CanActivate {
  private readonly throttle: FailureThrottle;

  constructor(
    private readonly inner: CanActivate,
    failuresPerMinute: number,
  ) {
    this.throttle = new FailureThrottle({
      failures: failuresPerMinute,
      windowMs: WINDOW_MS,
      addresses: MAX_ADDRESSES,
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    try {
      return (await this.inner.canActivate(context)) as boolean;
    } catch (error) {
      if (error instanceof ProblemException && error.getStatus() === 401) this.assertFew(context);
      throw error;
    }
  }

  /** @throws 429 */
  private assertFew(context: ExecutionContext): void {
    const { ip = '' } = context.switchToHttp().getRequest<EdgeRequest>();
    const waitMs = this.throttle.take(ip, performance.now());
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1_000);
    const detail = `Too many requests without a valid API key from this address. Try again in ${seconds} s.`;
    throw new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': String(seconds) } });
  }
}
