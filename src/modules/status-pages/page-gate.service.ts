import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { FailureThrottle } from '../../http/failure-throttle.js';
import { ProblemException } from '../../http/problem.js';
import { basicPassword, verifyPassword } from './page-password.js';

/** What a page asks for; its slug names it to the visitor's browser, which keeps a password for each name. */
export interface Door {
  slug: string;
  passwordHash: string;
}

/** What a visitor brings along. */
export interface Visitor {
  /** The `Authorization` header. */
  authorization: string | undefined;
  address: string;
}

export function visitorOf({ headers, ip }: Request): Visitor {
  return { authorization: headers.authorization, address: ip ?? '' };
}

const FAILURES = { failures: 10, windowMs: 5 * 60_000, addresses: 10_000 };
const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;
/** Verifications are slow by design and share their threads with the rest of the service: one at a time, few waiting. */
const MAX_WAITING = 16;

/** Lets visitors of password pages in. Slow per password, fast for one that was right lately. */
@Injectable()
export class PageGate {
  /** Digests are good within this process alone, and of no use to who reads its memory. */
  private readonly digestKey = randomBytes(32);
  private readonly throttle = new FailureThrottle(FAILURES);
  /** Right passwords by digest: until when they are remembered. A changed password changes the digest. */
  private readonly remembered = new Map<string, number>();
  private readonly running = new Map<string, Promise<boolean>>();
  private queue: Promise<unknown> = Promise.resolve();

  /**
   * Resolves where the visitor has the password.
   * @throws 401 with a challenge where it is missing or wrong, 429 after 10 failures of an address in 5 minutes or while
   * too many others are being verified
   */
  async admit({ slug, passwordHash }: Door, { authorization, address }: Visitor): Promise<void> {
    const password = basicPassword(authorization);
    if (password === null) throw unauthenticated(slug);
    const digest = createHmac('sha256', this.digestKey).update(`${passwordHash}\0${password}`).digest('hex');
    // The same password sent again while it is being verified is one guess, not many.
    const running = this.running.get(digest);
    const right = await (running ?? this.guess(address, () => this.verify(digest, passwordHash, password)));
    if (!right) throw unauthenticated(slug);
  }

  /** A guess that turns out wrong, and only that, counts against its address. */
  private async guess(address: string, verify: () => Promise<boolean> | boolean): Promise<boolean> {
    this.take(address);
    let wrong = false;
    try {
      const right = await verify();
      wrong = !right;
      return right;
    } finally {
      if (!wrong) this.throttle.forgive(address);
    }
  }

  private take(address: string): void {
    const waitMs = this.throttle.take(address, Date.now());
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000), 'Too many wrong passwords came from this address.');
  }

  private verify(digest: string, passwordHash: string, password: string): Promise<boolean> | boolean {
    if ((this.remembered.get(digest) ?? 0) > Date.now()) return true;
    if (this.running.size >= MAX_WAITING) throw tooMany(2, 'Too many passwords are being verified.');
    const outcome = this.queue.then(() => verifyPassword(passwordHash, password));
    const settled = outcome
      .then((right) => right && this.remember(digest))
      .catch(() => {})
      .finally(() => this.running.delete(digest));
    this.queue = settled;
    this.running.set(digest, outcome);
    return outcome;
  }

  private remember(digest: string): void {
    this.remembered.delete(digest);
    this.remembered.set(digest, Date.now() + REMEMBERED_MS);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
  }
}

function unauthenticated(slug: string): ProblemException {
  const detail = 'This page asks for its password: Authorization: Basic, with any user name.';
  const headers = { 'WWW-Authenticate': `Basic realm="status page ${slug}", charset="UTF-8"` };
  return new ProblemException(401, 'unauthenticated', detail, { headers });
}

function tooMany(retryAfterSeconds: number, detail: string): ProblemException {
  return new ProblemException(429, 'rate_limited', `${detail} Try again later.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
