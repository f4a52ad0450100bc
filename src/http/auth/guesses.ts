import { FailureThrottle, type ThrottleLimits } from '../throttle/failure-throttle.js';
import { ProblemException } from '../problems/problem.js';
import { TooManyWaiting, Turns } from '../throttle/turns.js';

export interface GuessLimits extends ThrottleLimits {
  /** Slow work that waits for its turn, the running one included. */
  waiting: number;
}

const LIMITS: GuessLimits = { failures: 10, windowMs: 5 * 60_000, addresses: 10_000, waiting: 16 };

/**
 * Guards a secret that people type. Wrong guesses of an address are counted; verifications are slow by design and share
 * their threads with the rest of the service, so they run one at a time while few wait.
 */
export class Guesses {
  private readonly throttle: FailureThrottle;
  private readonly turns: Turns;

  /** @param what is guessed, for the texts: `passwords` */
  constructor(
    private readonly what: string,
    limits = LIMITS,
  ) {
    this.throttle = new FailureThrottle(limits);
    this.turns = new Turns({ ofOwner: limits.waiting, ofAll: limits.waiting });
  }

  /** A guess that turns out wrong, and only that, counts against its address. @throws 429 where too many have */
  async guess(address: string, verify: () => Promise<boolean> | boolean): Promise<boolean> {
    const waitMs = this.throttle.take(address, Date.now());
    if (waitMs > 0) {
      throw tooMany(Math.ceil(waitMs / 1_000), `Too many wrong ${this.what} came from this address.`);
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

  /** Runs slow work after what came before. @throws 429 where too much is waiting */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return this.turns.take('', work);
    } catch (error) {
      if (error instanceof TooManyWaiting) throw tooMany(2, `Too many ${this.what} are being verified.`);
      throw error;
    }
  }
}

function tooMany(retryAfterSeconds: number, detail: string): ProblemException {
  return new ProblemException(429, 'rate_limited', `${detail} Try again later.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
