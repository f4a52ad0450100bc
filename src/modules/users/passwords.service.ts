import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { Guesses } from '../../http/auth/guesses.js';
import { MAX_PASSWORD_LENGTH } from './dto/new-user.dto.js';

/** Argon2id with OWASP's first choice for little memory: 19 MiB, two passes, some 20 ms. */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords of people: hashed, and guessed at no faster than this service allows. */
@Injectable()
export class PasswordsService {
  private readonly guesses = new Guesses('passwords');
  /** Nobody's: an unknown email must take as long as a wrong password. */
  private nobody: Promise<string> | undefined;

  /** What is stored of a password. @throws 429 while too many are being verified */
  hash(password: string): Promise<string> {
    return this.guesses.inTurn(() => hash(normal(password), ARGON2));
  }

  /**
   * Whether this is the password that `stored` was made from; `null` for a person who is unknown, which takes as long.
   * @throws 429 after 10 failures of an address in 5 minutes, or while too many are being verified
   */
  check(stored: string | null, password: string, address: string): Promise<boolean> {
    return this.guesses.guess(address, async () => {
      if (password.length > MAX_PASSWORD_LENGTH) return false;
      const against = stored ?? (await (this.nobody ??= hash('', ARGON2)));
      const fits = await this.guesses.inTurn(() => verify(against, normal(password)));
      return fits && stored !== null;
    });
  }
}

/** The same letters can be typed as different code points on different devices. */
function normal(password: string): string {
  return password.normalize('NFC');
}
