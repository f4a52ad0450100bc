import { FailureThrottle, type ThrottleLimits } from '../throttle/failure-throttle.js';
import { ProblemException } from '../problems/problem.js';
import { TooManyWaiting, Turns } from '../throttle/turns.js';

export interface GuessLimits extends ThrottleLimits {
  /** Maximum number of verifications that run or wait at the same time. */
  waiting: number;
}

const LIMITS: GuessLimits = { failures: 10, windowMs: 5 * 60_000, addresses: 10_000, waiting: 16 };

/**
 * Protects a secret that people type. Wrong guesses are counted by address. Verification is slow by design and shares
 * its threads with the rest of the service, so verifications run one at a time, and only a few may wait.
 */
export class Guesses {
  private readonly throttle: FailureThrottle;
  private readonly turns: Turns;

  /** @param what the kind of secret, for error messages: `passwords` */
  constructor(
    private readonly what: string,
    limits = LIMITS,
  ) {
    this.throttle = new FailureThrottle(limits);
    this.turns = new Turns({ ofOwner: limits.waiting, ofAll: limits.waiting });
  }

  /** Counts a guess against its address only if it is wrong. @throws 429 after too many wrong guesses */
  async guess(address: string, verify: () => Promise<boolean> | boolean): Promise<boolean> {
    const waitMs = this.throttle.take(address, Date.now());
    if (waitMs > 0) {
      throw tooMany(Math.ceil(waitMs / 1_000), `Too many wrong ${this.what} from this address.`);
    }
    let wrong = false;
    try {
      const right = await verify();
      wrong = !right;
      return right;
    } finally {
      if (!wrong) this.throttle.forgive(address);
    }
  }

  /** Runs slow work after the work before it. @throws 429 if too much work is waiting */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return this.turns.take('', work);
    } catch (error) {
      if (error instanceof TooManyWaiting) throw tooMany(2, `Too many ${this.what} are being verified at once.`);
      throw error;
    }
  }
}

function tooMany(retryAfterSeconds: number, detail: string): ProblemException {
  return new ProblemException(429, 'rate_limited', `${detail} Try again later.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
