import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { LRUCache } from 'lru-cache';
import { Guesses } from '../../http/auth/guesses.js';
import { ProblemException } from '../../http/problems/problem.js';
import { basicPassword, verifyPagePassword } from './page-password.js';

/** The password of a page. The slug is part of the realm, by which browsers store passwords. */
export interface Door {
  slug: string;
  passwordHash: string;
}

/** The credentials and the address of a visitor. */
export interface Visitor {
  /** The `Authorization` header. */
  authorization: string | undefined;
  address: string;
}

export function visitorOf({ headers, ip }: Request): Visitor {
  return { authorization: headers.authorization, address: ip ?? '' };
}

const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Admits visitors of password-protected pages. Verifying a password is slow; recently accepted ones are cached. */
@Injectable()
export class PageGate {
  /** The key of the digests, known only to this process. */
  private readonly digestKey = randomBytes(32);
  private readonly guesses = new Guesses('passwords');
  /** Digests of correct passwords. A changed password changes the digest. */
  private readonly remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  private readonly running = new Map<string, Promise<boolean>>();

  /**
   * Resolves if the visitor has the password.
   * @throws 401 with a challenge if it is missing or wrong, 429 after 10 failures of an address in 5 minutes or while
   * too many other passwords are being verified
   */
  async admit({ slug, passwordHash }: Door, { authorization, address }: Visitor): Promise<void> {
    const password = basicPassword(authorization);
    if (password === null) throw unauthenticated(slug);
    const digest = createHmac('sha256', this.digestKey).update(`${passwordHash}\0${password}`).digest('hex');
    // The same password sent again while it is being verified counts as a single guess.
    const running = this.running.get(digest);
    const right = await (running ?? this.guesses.guess(address, () => this.verify(digest, passwordHash, password)));
    if (!right) throw unauthenticated(slug);
  }

  private verify(digest: string, passwordHash: string, password: string): Promise<boolean> | boolean {
    if (this.remembered.has(digest)) return true;
    const outcome = this.guesses.inTurn(() => verifyPagePassword(passwordHash, password));
    outcome
      .then((right) => right && this.remembered.set(digest, true))
      .catch(() => {})
      .finally(() => this.running.delete(digest));
    this.running.set(digest, outcome);
    return outcome;
  }
}

function unauthenticated(slug: string): ProblemException {
  const detail = 'This page requires a password. Send it with HTTP Basic authentication and any username.';
  const headers = { 'WWW-Authenticate': `Basic realm="status page ${slug}", charset="UTF-8"` };
  return new ProblemException(401, 'unauthenticated', detail, { headers });
}
