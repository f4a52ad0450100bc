import { Injectable } from '@nestjs/common';
import { maxLength } from 'class-validator';
import { Guesses } from '../../http/auth/guesses.js';
import { hashPassword, NOBODYS_HASH, verifyPassword } from '../../http/auth/password-hash.js';
import { MAX_PASSWORD_LENGTH } from './dto/new-user.dto.js';

/** Hashes and verifies the passwords of people, and limits how fast they can be guessed. */
@Injectable()
export class PasswordsService {
  private readonly guesses = new Guesses('passwords');

  /** Returns the hash to store for a password. @throws 429 while too many are being verified */
  hash(password: string): Promise<string> {
    return this.guesses.inTurn(() => hashPassword(password));
  }

  /**
   * Returns whether `stored` is the hash of this password; it is null for an unknown person, which takes as long.
   * @throws 429 after 10 failures from an address in 5 minutes, or while too many are being verified
   */
  check(stored: string | null, password: string, address: string): Promise<boolean> {
    return this.guesses.guess(address, async () => {
      // Counts characters as `NewPasswordDto` does, to which an emoji is one.
      if (!maxLength(password, MAX_PASSWORD_LENGTH)) return false;
      const fits = await this.guesses.inTurn(() => verifyPassword(stored ?? NOBODYS_HASH, password));
      return fits && stored !== null;
    });
  }
}
