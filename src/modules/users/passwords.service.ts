import { Injectable } from '@nestjs/common';
import { Guesses } from '../../http/auth/guesses.js';
import { hashPassword, verifyPassword } from '../../http/auth/password-hash.js';
import { MAX_PASSWORD_LENGTH } from './dto/new-user.dto.js';

/** Passwords of people: hashed, and guessed at no faster than this service allows. */
@Injectable()
export class PasswordsService {
  private readonly guesses = new Guesses('passwords');
  /** Nobody's: an unknown email must take as long as a wrong password. */
  private nobody: Promise<string> | undefined;

  /** What is stored of a password. @throws 429 while too many are being verified */
  hash(password: string): Promise<string> {
    return this.guesses.inTurn(() => hashPassword(password));
  }

  /**
   * Whether this is the password that `stored` was made from; `null` for a person who is unknown, which takes as long.
   * @throws 429 after 10 failures of an address in 5 minutes, or while too many are being verified
   */
  check(stored: string | null, password: string, address: string): Promise<boolean> {
    return this.guesses.guess(address, async () => {
      if (password.length > MAX_PASSWORD_LENGTH) return false;
      const against = stored ?? (await (this.nobody ??= hashPassword('')));
      const fits = await this.guesses.inTurn(() => verifyPassword(against, password));
      return fits && stored !== null;
    });
  }
}
