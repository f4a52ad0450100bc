import { hashPassword } from '../../http/auth/password-hash.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { TooManyWaiting, type Turns } from '../../http/throttle/turns.js';

/** Hashes the password of a write only once, however often the write is repeated, because hashing is slow by design. */
export class PasswordHashes {
  private hash: Promise<string> | null = null;

  constructor(
    private readonly teamId: TeamId,
    private readonly turns: Turns,
  ) {}

  /** Returns the hash. @throws 429 if too many passwords wait to be hashed */
  of(password: string): Promise<string> {
    try {
      return (this.hash ??= this.turns.take(this.teamId, () => hashPassword(password)));
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      const detail = 'Too many status page passwords are being stored. Try again later.';
      throw new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': '2' } });
    }
  }
}
